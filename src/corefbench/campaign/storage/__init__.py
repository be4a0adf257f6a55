"""What a campaign keeps: rows in a database, files by their content.

Everything that was acknowledged is on disk: files are written under another name, synced and
renamed; a row that names a file is written after the file.
"""
