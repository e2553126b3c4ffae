"""For agents: the REST API as tools, resources and prompts of the Model Context Protocol."""
