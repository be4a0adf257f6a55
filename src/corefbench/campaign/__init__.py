"""Evaluation campaigns: a folder describes one, a server runs it.

domain/   the rules, pure: the clock is an argument
storage/  what is kept: a database (SQLite or PostgreSQL) and content-addressed files
jobs/     scoring: leases, a child process with limits, budgets for uploads
views/    the pages, the JSON interface and who may see them
"""
