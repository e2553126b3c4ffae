"""Who may do what, and how much: keys, the audit log, the daily token budget."""
