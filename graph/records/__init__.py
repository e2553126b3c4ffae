"""What goes into the store and comes out of it where `graph/model/` has no word for it: frozen, keyword-only, plain."""
