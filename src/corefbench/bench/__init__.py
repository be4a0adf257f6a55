"""The workbench: resolvers compared on one corpus, over one pre-processing."""
