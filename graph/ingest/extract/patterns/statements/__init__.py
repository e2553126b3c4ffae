"""Who says which part of a text: `parts.py` puts together mails, letters and speakers."""
