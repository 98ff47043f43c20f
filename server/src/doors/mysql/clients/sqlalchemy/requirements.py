"""Which parts of the suite apply: those about what an analytical database has no use for are left out."""

from sqlalchemy.testing import exclusions
from sqlalchemy.testing.requirements import SuiteRequirements


class Requirements(SuiteRequirements):
    # A second schema would be a second database that somebody has to make.
    schemas = exclusions.closed()
    schema_reflection = exclusions.closed()
    cross_schema_fk_reflection = exclusions.closed()
    # Tables have no numbers of their own making.
    autoincrement_insert = exclusions.closed()
    autoincrement_without_sequence = exclusions.closed()
    insert_returning = exclusions.closed()
    implicitly_named_constraints = exclusions.closed()
    # No foreign keys, checks and indexes: nothing would use them.
    foreign_key_constraint_reflection = exclusions.closed()
    self_referential_foreign_keys = exclusions.closed()
    index_reflection = exclusions.closed()
    unique_constraint_reflection = exclusions.closed()
    check_constraint_reflection = exclusions.closed()
    temp_table_reflection = exclusions.closed()
    # MySQL has none of these: a parameter of a select list comes back as text, and VARCHAR needs a length.
    date_implicit_bound = exclusions.closed()
    datetime_implicit_bound = exclusions.closed()
    time_implicit_bound = exclusions.closed()
    unbounded_varchar = exclusions.closed()
    reflect_table_options = exclusions.open()
    sequences = exclusions.closed()
    datetime_timezone = exclusions.closed()
    # What SQLAlchemy's own requirements say of MySQL.
    emulated_lastrowid = exclusions.closed()
    window_functions = exclusions.open()
    ctes = exclusions.open()
    ctes_on_dml = exclusions.closed()
    views = exclusions.open()
    precision_numerics_enotation_small = exclusions.open()
    precision_numerics_many_significant_digits = exclusions.open()
    # FLOAT has seven digits.
    precision_generic_float_type = exclusions.closed()
    literal_float_coercion = exclusions.closed()
    bound_limit_offset = exclusions.open()
    sql_expression_limit_offset = exclusions.closed()
    parens_in_union_contained_select_w_limit_offset = exclusions.open()
    intersect = exclusions.open()
    except_ = exclusions.open()
    unicode_ddl = exclusions.open()
    datetime_microseconds = exclusions.closed()
    time_microseconds = exclusions.closed()
    date_historic = exclusions.open()
    text_type = exclusions.open()
    empty_strings_varchar = exclusions.open()
    reflects_pk_names = exclusions.closed()
    isolation_level = exclusions.closed()
    json_type = exclusions.open()
    array_type = exclusions.closed()
    uuid_data_type = exclusions.closed()
