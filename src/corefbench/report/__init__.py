"""Reports: tables, their renderers, HTML pages, charts and notebook views."""
