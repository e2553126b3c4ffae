"""Measure: questions with known answers, and how well each method answers them."""
