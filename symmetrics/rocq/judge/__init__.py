"""Theories given to the proof assistant: what may stand in one, how it is compiled, what it is then asked; no lemma is
written here.
"""
