"""How many examples hypothesis draws, stated once: all counts follow the profile."""

from hypothesis import settings

PROFILES = {"labelsift": 30, "few": 5}
USUAL = PROFILES["labelsift"]


def examples(count: int) -> settings:
    """Return settings that draw ``count`` examples where the usual number is drawn.

    Under a profile of fewer or more, as many times fewer or more.
    """
    return settings(max_examples=max(2, round(count * settings().max_examples / USUAL)))
