"""Database and file store of a campaign.

Everything that was acknowledged is on disk: files are written under a temporary name, synced and
renamed; a row that names a file is written after the file.
"""
