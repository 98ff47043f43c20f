import { quoteString } from '@boathouse/sql'
import type { Guarded } from './guarded-functions.ts'
import { INTERNAL_SCHEMA } from './internal-schema.ts'

/**
 * What is known of one table, by its name. DuckDB makes its own lists of all tables before one is picked, which takes a
 * second where there are 100,000; what a DELETE would be bound to says the same of one. The words of the service ask for
 * it, and no macro of a user's takes its name.
 */
export const DESCRIBED_TABLE = 'described_table'

/** Named before each: a session may have functions of its own by these names, and they would be called instead. */
const OWN = 'system.main'

const quoted = (part: string): string => `'"', ${OWN}.replace(${part}::VARCHAR, '"', '""'), '"'`
const PATH = [quoted('in_catalog'), quoted('in_database'), quoted('named')].join(`, '.', `)

const inPlan = (way: string): string => `${OWN}.json_extract_string(plan, ${quoteString(way)})`
const inTable = (way: string): string => inPlan(`$.plans[0].table_info.${way}`)
const COLUMNS = `${OWN}.json_extract(plan, '$.plans[0].table_info.columns.columns')`

/** Of which columns are keys. A table to which a foreign key refers has a note of it. */
const KEYS = `${OWN}.list_transform(
  ${OWN}.list_filter(
    ${OWN}.from_json(${OWN}.json_extract(plan, '$.plans[0].table_info.constraints'),
      '[{"type":"VARCHAR","is_primary_key":"BOOLEAN","columns":["VARCHAR"],"fk_columns":["VARCHAR"],"fk_type":"VARCHAR"}]'),
    lambda one: one.type = 'UNIQUE' OR one.fk_type <> 'FK_TYPE_PRIMARY_KEY_TABLE'),
  lambda one: ${OWN}.struct_pack(
    constraint_type := CASE WHEN one.type <> 'UNIQUE' THEN 'FOREIGN KEY' WHEN one.is_primary_key THEN 'PRIMARY KEY' ELSE 'UNIQUE' END,
    constraint_column_names := coalesce(one.columns, one.fk_columns)))`

/**
 * A row without a name: only DuckDB's list says whether there is such a table, for example one that is made of
 * files.
 */
const DESCRIBED = `SELECT ${inTable('table')} AS name, ${inTable('comment.value')} AS comment,
    ${OWN}.json_array_length(${COLUMNS}) AS column_count,
    ${OWN}.list_transform(${OWN}.from_json(${COLUMNS}, '[{"comment":{"value":"VARCHAR"}}]'),
      lambda one: one.comment.value) AS column_comments, ${KEYS} AS constraints
  FROM (SELECT ${OWN}.json_serialize_plan(${OWN}.concat('DELETE FROM ', ${PATH})::VARCHAR) AS plan)
  WHERE coalesce(${inPlan('$.error_subtype')}, '') <> 'MISSING_ENTRY'
    AND NOT coalesce(${OWN}.starts_with(${inTable('schema')}, ${quoteString(INTERNAL_SCHEMA)}), false)`

const NOTHING = `SELECT NULL::VARCHAR AS name, NULL::VARCHAR AS comment, NULL::BIGINT AS column_count,
    NULL::VARCHAR[] AS column_comments,
    NULL::STRUCT(constraint_type VARCHAR, constraint_column_names VARCHAR[])[] AS constraints WHERE false`

const PARAMETERS = '(in_catalog, in_database, named) AS TABLE'

export const describedTable: Guarded = { name: DESCRIBED_TABLE, body: `${PARAMETERS} ${DESCRIBED}` }

/** For users who may not see everything. */
export const unseenTable: Guarded = { name: DESCRIBED_TABLE, body: `${PARAMETERS} ${NOTHING}` }
