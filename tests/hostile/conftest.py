from tests.campaign import (  # noqa: F401
    campaign_folder,
    clock,
    cluster,
    database,
    database_url,
    migrated,
    platform,
)
