"""Settings for the whole suite."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "labelsift",
    deadline=None,
    max_examples=30,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("labelsift")
