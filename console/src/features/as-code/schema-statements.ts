import type { Input } from '@boathouse/contract/call'
import type { catalogCalls } from '@boathouse/contract/external-catalogs'
import type { NewColumn, objectChangeCalls } from '@boathouse/contract/schema-changes'
import type { materializedViewCalls } from '@boathouse/contract/materialized-views'
import { namedObject } from '@boathouse/contract/schema-objects'
import { quoteIdentifier as name, quoteString } from '@boathouse/sql'

type Changes = typeof objectChangeCalls
type Views = typeof materializedViewCalls
type Catalogs = typeof catalogCalls

interface Place {
  readonly catalog: string
  readonly databaseName: string
}

const pathOf = ({ catalog, databaseName }: Place, ...inside: string[]): string =>
  [catalog, databaseName, ...inside].map(name).join('.')

/** As in ALTER and COMMENT ON, of a table or a view. */
function objectOf(input: Input<Changes['rename']> | Input<Changes['comment']>): string {
  const object = namedObject(input)
  return `${object.type === 'view' ? 'VIEW' : 'TABLE'} ${pathOf(input, object.name)}`
}

function columnSql({ name: own, type, nullable, primaryKey, default: value }: NewColumn): string {
  const parts = [
    name(own),
    type,
    primaryKey ? 'PRIMARY KEY' : !nullable && 'NOT NULL',
    value && `DEFAULT ${quoteString(value)}`,
  ]
  return `  ${parts.filter(Boolean).join(' ')}`
}

function createTable(table: Input<Changes['createTable']>): string {
  const path = pathOf(table, table.tableName)
  const comments = [
    ...(table.comment ? [`COMMENT ON TABLE ${path} IS ${quoteString(table.comment)}`] : []),
    ...table.columns.flatMap((column) =>
      column.comment
        ? [`COMMENT ON COLUMN ${path}.${name(column.name)} IS ${quoteString(column.comment)}`]
        : [],
    ),
  ]
  return [`CREATE TABLE ${path} (\n${table.columns.map(columnSql).join(',\n')}\n)`, ...comments].join(';\n')
}

function comment(input: Input<Changes['comment']>): string {
  const { column } = input
  const of = column ? `COLUMN ${pathOf(input, namedObject(input).name, column)}` : objectOf(input)
  return `COMMENT ON ${of} IS ${quoteString(input.comment)}`
}

/** Of catalogs, databases, tables and views. */
export const SCHEMA_STATEMENTS = {
  '/schema/create-catalog': ({ name: own, description }: Input<Catalogs['createCatalog']>) =>
    `CREATE CATALOG ${name(own)}${description ? ` COMMENT ${quoteString(description)}` : ''}`,
  '/schema/rename-catalog': ({ catalog, newName }: Input<Catalogs['renameCatalog']>) =>
    `ALTER CATALOG ${name(catalog)} RENAME TO ${name(newName)}`,
  '/schema/drop-catalog': ({ catalog, cascade }: Input<Catalogs['dropCatalog']>) =>
    `DROP CATALOG ${name(catalog)}${cascade ? ' CASCADE' : ''}`,
  '/schema/create-database': ({ catalog, databaseName }: Input<Changes['createDatabase']>) =>
    `CREATE DATABASE ${pathOf({ catalog, databaseName })}`,
  '/schema/drop-database': ({ catalog, databaseName, cascade }: Input<Changes['dropDatabase']>) =>
    `DROP DATABASE ${pathOf({ catalog, databaseName })}${cascade ? ' CASCADE' : ''}`,
  '/schema/create-table': createTable,
  '/schema/drop-table': (input: Input<Changes['dropTable']>) =>
    `DROP TABLE ${pathOf(input, input.tableName)}`,
  '/schema/drop-view': (input: Input<Changes['dropView']>) => `DROP VIEW ${pathOf(input, input.name)}`,
  '/schema/rename': (input: Input<Changes['rename']>) =>
    `ALTER ${objectOf(input)} RENAME TO ${name(input.newName)}`,
  '/schema/comment': comment,
  '/schema/refresh-materialized-view': (input: Input<Views['refreshMaterializedView']>) =>
    `REFRESH MATERIALIZED VIEW ${pathOf(input, input.mvName)}`,
  '/schema/pause-materialized-view': (input: Input<Views['pauseMaterializedView']>) =>
    `ALTER MATERIALIZED VIEW ${pathOf(input, input.mvName)} ${input.paused ? 'PAUSE' : 'RESUME'}`,
  '/schema/drop-materialized-view': (input: Input<Views['dropMaterializedView']>) =>
    `DROP MATERIALIZED VIEW ${pathOf(input, input.mvName)}`,
}
