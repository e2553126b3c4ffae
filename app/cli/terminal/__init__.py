"""What the commands share: consoles, options, the session with the server, examples, encodings."""
