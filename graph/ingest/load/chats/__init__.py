"""Chats, transcripts and subtitles."""
