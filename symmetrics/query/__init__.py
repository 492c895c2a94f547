"""Questions by name: has a metric a property, how do two metrics relate, which metric is this formula? The library is
asked for records and the prover for answers; no proof is found here.
"""
