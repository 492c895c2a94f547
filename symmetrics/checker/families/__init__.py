"""One module for each family of claims: does the evidence establish the verdict?"""
