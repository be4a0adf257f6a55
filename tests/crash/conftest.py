from tests.campaign import (  # noqa: F401
    campaign_folder,
    cluster,
    database_url,
    migrated,
)
