"""Rules of a campaign, without clock, disk or network."""
