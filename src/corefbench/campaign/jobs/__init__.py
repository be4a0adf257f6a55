"""Scoring: a lease on the row of a submission, a child process with limits and no network."""
