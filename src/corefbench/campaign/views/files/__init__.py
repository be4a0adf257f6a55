"""What is handed out as it is; one module each, named as its route: ``give(…) -> Given``."""
