"""Mails, mailboxes, calendars and contacts."""
