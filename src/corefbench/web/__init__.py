"""The workbench as a person sees it: a local web app, and the same pages as a static bundle."""
