"""What the web applications share: application, routing, rendering, forms, security, static sites."""
