"""SQLAlchemy's own suite for dialects, as its README.dialects.rst says to run it."""

import pytest

pytest.register_assert_rewrite("sqlalchemy.testing.assertions")

from sqlalchemy.testing.plugin.pytestplugin import *  # noqa: E402, F401, F403

from sqlalchemy.dialects.mysql.base import MySQLDDLCompiler  # noqa: E402

# Keys of tables are given by who inserts: SQLAlchemy would write AUTO_INCREMENT for each that is a number.
written = MySQLDDLCompiler.get_column_specification
MySQLDDLCompiler.get_column_specification = lambda self, column, **options: written(self, column, **options).replace(
    " AUTO_INCREMENT", "")
