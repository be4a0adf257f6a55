"""The JSON interface; one module each, named as its route without ``api-``.

``answer(platform, visitor, query)``, or with ``body`` as a fourth where one is sent. The types of
its signature are what the OpenAPI document says of it.
"""
