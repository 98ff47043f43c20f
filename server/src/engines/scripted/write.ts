import { familyOf } from '../engine/columns.ts'
import { compile, type Scope, VALUE_TYPES } from './evaluate.ts'
import { refused } from './refused.ts'
import { runSelect, type SelectWorld } from './select.ts'
import type { ColumnDefinition, Expression, Select, Statement, TableName, Value } from './statements.ts'
import {
  type Database,
  checkCatalog,
  databaseOf,
  keyOf,
  placeOf,
  type Row,
  type Table,
  withDatabase,
  withEntry,
  type World,
} from './world.ts'

/** What a statement that writes makes of what there is. */
export interface Written {
  readonly world: World
  readonly temporary: ReadonlyMap<string, Table>
  readonly rowsChanged: number | null
}

export interface WriteScene {
  readonly world: World
  readonly temporary: ReadonlyMap<string, Table>
  /** The database that the session stands in. */
  readonly here: string
  readonly selecting: SelectWorld
}

type Writing = Extract<
  Statement,
  {
    kind:
      | 'create table'
      | 'create view'
      | 'drop table'
      | 'insert'
      | 'update'
      | 'delete'
      | 'make database'
      | 'unmake database'
  }
>

export async function write(statement: Writing, scene: WriteScene): Promise<Written> {
  switch (statement.kind) {
    case 'create table':
      return createTable(statement, scene)
    case 'create view': {
      const { columns } = runSelect(statement.select, scene.selecting)
      const made = columns.map((column) => ({ ...column, isKey: false }))
      const view = { select: statement.select, database: placeOf(statement.table, scene.here).database }
      return create(statement.table, scene, { columns: made, rows: [], view })
    }
    case 'drop table':
      return dropTable(statement, scene)
    case 'insert':
      return insert(statement, scene)
    case 'update':
      return update(statement, scene)
    case 'delete':
      return deleteRows(statement, scene)
    case 'make database':
      return makeDatabase(statement, scene)
    case 'unmake database':
      return unmakeDatabase(statement, scene)
  }
}

const isTemporary = ({ parts }: TableName, { temporary }: WriteScene): boolean =>
  parts.length === 1 && temporary.has(keyOf(parts[0] ?? ''))

export function findTable(name: TableName, { world, temporary, here }: Omit<WriteScene, 'selecting'>): Table {
  const { table, ...place } = placeOf(name, here)
  const own = name.parts.length === 1 ? temporary.get(keyOf(table)) : undefined
  const found = own ?? databaseOf(world, place, name.offset).tables.get(keyOf(table))
  if (!found) throw refused('missing', `There is no table ${table}.`, name.offset)
  return found
}

/** With this table, or without the one of this name. */
function withTable(name: TableName, scene: WriteScene, table: Table | null): Omit<Written, 'rowsChanged'> {
  const { table: written, ...place } = placeOf(name, scene.here)
  if (isTemporary(name, scene))
    return { world: scene.world, temporary: withEntry(scene.temporary, written, table) }
  const database = databaseOf(scene.world, place, name.offset)
  const tables = withEntry(database.tables, written, table)
  return { world: withDatabase(scene.world, { ...database, tables }), temporary: scene.temporary }
}

async function createTable(
  { table, temporary, lenient, made }: Writing & { kind: 'create table' },
  scene: WriteScene,
): Promise<Written> {
  const { table: name, ...place } = placeOf(table, scene.here)
  const isThere = temporary
    ? scene.temporary.has(keyOf(name))
    : databaseOf(scene.world, place, table.offset).tables.has(keyOf(name))
  if (isThere && lenient) return { world: scene.world, temporary: scene.temporary, rowsChanged: null }
  const isSelected = 'items' in made
  const filled = isSelected ? await selectedRows(made, scene) : { columns: made, rows: [] }
  const rowsChanged = isSelected ? filled.rows.length : null
  if (!temporary) return { ...create(table, scene, { ...filled, view: null }), rowsChanged }
  if (isThere) throw alreadyThere(table, name)
  const kept = withEntry(scene.temporary, name, { name, ...filled, view: null })
  return { world: scene.world, temporary: kept, rowsChanged }
}

const alreadyThere = ({ offset }: TableName, name: string) =>
  refused('data', `The table ${name} already exists.`, offset)

function create(name: TableName, scene: WriteScene, made: Omit<Table, 'name'>): Written {
  const { table, ...place } = placeOf(name, scene.here)
  const database = databaseOf(scene.world, place, name.offset)
  if (database.tables.has(keyOf(table))) throw alreadyThere(name, table)
  const tables = withEntry(database.tables, table, { name: table, ...made })
  const world = withDatabase(scene.world, { ...database, tables })
  return { world, temporary: scene.temporary, rowsChanged: null }
}

async function selectedRows(select: Select, { selecting }: WriteScene) {
  const selected = runSelect(select, selecting)
  const rows: Row[] = []
  for await (const row of selected.rows()) rows.push(row)
  return { columns: selected.columns.map((column) => ({ ...column, isKey: false })), rows }
}

function dropTable({ table, lenient }: Writing & { kind: 'drop table' }, scene: WriteScene): Written {
  const { table: name, ...place } = placeOf(table, scene.here)
  const isThere =
    isTemporary(table, scene) || databaseOf(scene.world, place, table.offset).tables.has(keyOf(name))
  if (!isThere && !lenient) throw refused('missing', `There is no table ${name}.`, table.offset)
  return { ...withTable(table, scene, null), rowsChanged: null }
}

async function insert(
  { table: name, rows }: Writing & { kind: 'insert' },
  scene: WriteScene,
): Promise<Written> {
  const table = findTable(name, scene)
  const added = 'items' in rows ? (await selectedRows(rows, scene)).rows : literalRows(rows, scene)
  const fitted = added.map((row) => fitRow(row, table.columns))
  const all = [...table.rows, ...fitted]
  checkKeys(table, all)
  return { ...withTable(name, scene, { ...table, rows: all }), rowsChanged: fitted.length }
}

function literalRows(rows: readonly (readonly Expression[])[], { selecting }: WriteScene): Row[] {
  const { user, roles, variables } = selecting
  const scope: Scope = { columns: [], user, roles, variables }
  return rows.map((row) => row.map((expression) => compile(expression, scope).compute([])))
}

function fitRow(row: Row, columns: readonly ColumnDefinition[]): Row {
  if (row.length !== columns.length)
    throw refused('syntax', `The table has ${columns.length} columns, and ${row.length} values are given.`)
  return row.map((value, at) => fitValue(value, columns[at]))
}

function fitValue(value: Value, column: ColumnDefinition | undefined): Value {
  if (value === null || !column) return value
  const family = familyOf(VALUE_TYPES[column.type])
  if (family === 'text') return String(value)
  const isFitting = family === 'number' ? typeof value === 'bigint' : typeof value === 'boolean'
  if (!isFitting)
    throw refused('data', `${String(value)} is no ${column.type}, which ${column.name} requires.`)
  return value
}

function checkKeys({ columns }: Table, rows: readonly Row[]): void {
  for (const [at, { isKey, name }] of columns.entries()) {
    if (!isKey) continue
    if (new Set(rows.map((row) => row[at])).size !== rows.length)
      throw refused('data', `Two rows would have the same ${name}, which is the key.`)
  }
}

const scopeOf = ({ columns }: Table, { selecting: { user, roles, variables } }: WriteScene): Scope => ({
  columns,
  user,
  roles,
  variables,
})

function update(
  { table: name, column, value, where }: Writing & { kind: 'update' },
  scene: WriteScene,
): Written {
  const table = findTable(name, scene)
  const scope = scopeOf(table, scene)
  const at = table.columns.findIndex((one) => keyOf(one.name) === keyOf(column.name))
  if (at < 0) throw refused('missing', `There is no column ${column.name}.`, column.offset)
  const matches = where ? compile(where, scope).compute : () => true
  const { compute } = compile(value, scope)
  const isMatching = (row: Row) => matches(row) === true
  const rows = table.rows.map((row) =>
    isMatching(row) ? row.with(at, fitValue(compute(row), table.columns[at])) : row,
  )
  checkKeys(table, rows)
  const rowsChanged = table.rows.filter(isMatching).length
  return { ...withTable(name, scene, { ...table, rows }), rowsChanged }
}

function deleteRows({ table: name, where }: Writing & { kind: 'delete' }, scene: WriteScene): Written {
  const table = findTable(name, scene)
  const matches = where ? compile(where, scopeOf(table, scene)).compute : () => true
  const rows = table.rows.filter((row) => matches(row) !== true)
  return {
    ...withTable(name, scene, { ...table, rows }),
    rowsChanged: table.rows.length - rows.length,
  }
}

function makeDatabase(
  { place, lenient }: Writing & { kind: 'make database' },
  { world, temporary }: WriteScene,
): Written {
  checkCatalog(place.catalog)
  const isThere = world.databases.has(keyOf(place.database))
  if (isThere && !lenient) throw refused('data', `The database ${place.database} already exists.`)
  const made: Database = { name: place.database, tables: new Map() }
  return { world: isThere ? world : withDatabase(world, made), temporary, rowsChanged: null }
}

function unmakeDatabase(
  { place, lenient, withTables }: Writing & { kind: 'unmake database' },
  { world, temporary }: WriteScene,
): Written {
  checkCatalog(place.catalog)
  const nothing = { world, temporary, rowsChanged: null }
  if (lenient && !world.databases.has(keyOf(place.database))) return nothing
  const { tables, name } = databaseOf(world, place)
  if (tables.size > 0 && !withTables) throw refused('data', `The database ${name} is not empty.`)
  return { ...nothing, world: { ...world, databases: withEntry(world.databases, name, null) } }
}
