"""Pre-processors: trained pipelines and readers of annotation."""
