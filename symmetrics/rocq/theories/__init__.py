"""Files of lemmas: on one metric, on relations between metrics, on the literature; and what each is meant to state, not
how it is proved.
"""
