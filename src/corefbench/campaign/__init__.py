"""Evaluation campaigns: a folder configures one, a server runs it.

domain/   rules as pure functions: the clock is an argument
storage/  database (SQLite or PostgreSQL) and content-addressed files
jobs/     scoring: workers, the sandbox, reading of uploads, maintenance
views/    pages, JSON API and who may see them
"""
