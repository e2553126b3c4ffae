"""The results of the REST API in a form for agents: short enough for their context, with ids for further requests."""
