"""Jobs: request, coordinate and run them."""
