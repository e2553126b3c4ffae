"""Forms on the case files: fields asked one by one and together, what the check lets pass, what the facts propose.

python -m bench.quality.forms
"""
