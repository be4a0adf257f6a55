"""Shared tasks."""
