"""SQLAlchemy's own suite for dialects, as its README.dialects.rst says to run it."""

import pytest

pytest.register_assert_rewrite("sqlalchemy.testing.assertions")

from sqlalchemy.testing.plugin.pytestplugin import *  # noqa: E402, F401, F403
