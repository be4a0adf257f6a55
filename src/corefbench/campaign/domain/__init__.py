"""The rules of a campaign, without clock, disk or network."""
