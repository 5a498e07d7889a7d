"""Settings for the whole suite."""

from hypothesis import HealthCheck, settings

for name, examples in (("labelsift", 30), ("few", 5)):
    settings.register_profile(
        name,
        deadline=None,
        max_examples=examples,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("labelsift")
