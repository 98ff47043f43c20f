import { foldedText } from '../folded-text.ts'

/** From the strongest on: of several that apply, the first is shown. */
const WORDS = `['PRI', 'UNI', 'MUL']`

const RANK_OF_UNIQUE = `CASE WHEN len(names) = 1 THEN 2 ELSE 3 END`

/** An index has its expressions as one text; those that are no column are in parentheses. */
export const INDEXED = `list_transform(TRY_CAST(expressions AS VARCHAR[]),
  lambda name: CASE WHEN starts_with(name, '"') THEN replace(name[2:-2], '""', '"') ELSE name END)`

/**
 * The columns that are a part of a key, as other servers tell them: each of a primary key, the one of a unique key, and
 * the first of any other. A foreign key has an index there. Out of constraints as DuckDB lists them.
 */
export const columnKeys = (
  constraints: string,
): string => `SELECT database_name, schema_name, table_name, ${foldedText('name')} AS lower_name,
    ${WORDS}[min(rank)] AS key FROM (
  SELECT database_name, schema_name, table_name, unnest(names) AS name, 1 AS rank FROM (
    SELECT *, constraint_column_names AS names FROM ${constraints} WHERE constraint_type = 'PRIMARY KEY')
  UNION ALL SELECT database_name, schema_name, table_name, names[1], CASE WHEN is_unique THEN ${RANK_OF_UNIQUE} ELSE 3 END
  FROM (
    SELECT database_name, schema_name, table_name, constraint_column_names AS names,
      constraint_type = 'UNIQUE' AS is_unique
    FROM ${constraints} WHERE constraint_type IN ('UNIQUE', 'FOREIGN KEY')
    UNION ALL SELECT database_name, schema_name, table_name, ${INDEXED}, is_unique FROM duckdb_indexes())
  ) GROUP BY ALL`

export const COLUMN_KEYS = columnKeys('duckdb_constraints()')
