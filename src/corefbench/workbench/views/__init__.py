"""Pages and form handlers of the workbench, one module per subject."""
