"""One file per dock. Panels know units and colours, not the document, the scene or each other."""
