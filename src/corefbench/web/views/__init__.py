"""One module a page: ``view`` makes it from the workbench and what the address asks for."""
