"""Questions by name: has a metric a property, how do two metrics relate, which metric is this formula?

The library's metrics and properties are looked up, claims made of them and given to the prover.
"""
