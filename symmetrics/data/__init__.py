"""Examples as they come: columns of labels through one gate, data frames of any engine, and files; read and counted,
and no metric is known here.
"""
