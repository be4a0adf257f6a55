"""Formats whose annotation lies in a file beside the text: brat and LitBank."""
