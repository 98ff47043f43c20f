import type { Pool } from 'pg'
import { schemaName } from './connection-settings.ts'

interface Column {
  table: string
  column: string
  type: string
  nullable: boolean
  has_default: boolean
  identity: string
}

export const regenerateCommand = 'UPDATE_SCHEMA=1 npx vitest run server/src/store/schema.test.ts'

const typeNames: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'string',
  _text: 'string[]',
  _uuid: 'string[]',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
}

/** The text of schema.ts for the migrated database behind the pool. */
export async function generateSchema(pool: Pool): Promise<string> {
  const columns = await readColumns(pool)
  const tables = [...new Set(columns.map(({ table }) => table))]
  const members = tables.map((table) => `  ${table}: ${interfaceName(table)}\n`)
  const interfaces = tables.map((table) => {
    const own = columns.filter((column) => column.table === table)
    const lines = own.map((column) => `  ${column.column}: ${typeOf(column)}\n`)
    return `\nexport interface ${interfaceName(table)} {\n${lines.join('')}}\n`
  })
  return [
    `// Made from the migrated database, never by hand: ${regenerateCommand}\n`,
    "import type { ColumnType, Generated, GeneratedAlways } from 'kysely'\n\n",
    `export interface Schema {\n${members.join('')}}\n`,
    ...interfaces,
  ].join('')
}

async function readColumns(pool: Pool): Promise<Column[]> {
  const { rows } = await pool.query<Column>(
    `select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable,
            a.atthasdef as has_default, a.attidentity as identity
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       join pg_type t on t.oid = a.atttypid
      where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'migrations'
      order by c.relname collate "C", a.attnum`,
    [schemaName],
  )
  return rows
}

function typeOf(column: Column): string {
  const orNull = column.nullable ? ' | null' : ''
  // Written as JSON text: the driver would send an array as a PostgreSQL array.
  if (column.type === 'jsonb') {
    const maybe = column.nullable || column.has_default ? ' | undefined' : ''
    return `ColumnType<unknown, string${orNull}${maybe}, string${orNull}>`
  }
  const name = typeNames[column.type]
  if (!name)
    throw new Error(
      `${column.table}.${column.column} has type ${column.type}, which the schema generator lacks.`,
    )
  if (column.identity === 'a') return `GeneratedAlways<${name}>`
  return column.has_default || column.identity === 'd' ? `Generated<${name}${orNull}>` : `${name}${orNull}`
}

function interfaceName(table: string): string {
  const words = table.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Table`
}
