"""Forms on the case files: fields asked one by one and together, values that pass the check, values that the facts
propose.

python -m bench.quality.forms
"""
