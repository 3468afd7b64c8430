"""The page: one module per section, and components.py for the HTML components they share."""
