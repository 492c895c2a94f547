"""Axes, colours and simple charts for every picture of the package; no room above is known here, and matplotlib is
loaded when something is drawn.
"""
