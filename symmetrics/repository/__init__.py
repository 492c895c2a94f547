"""Generated files: certificates, theories and tables are built from the library, read and verified again; no answer is
found here.
"""
