"""What forms do; one module each, named as its route: ``act(platform, visitor, form)``.

``act`` gives the address to go on to, or a page where that could not be shown again.
"""
