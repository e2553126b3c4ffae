"""Generation: the evidence as a prompt, the model's answer, and its basis."""
