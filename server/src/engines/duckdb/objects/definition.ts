import { foldedName, isSameName } from '../../../kernel/same-name.ts'
import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import type { ObjectAction, ObjectChange, ObjectName, ObjectType, ObjectUse } from '../../engine/objects.ts'
import { type PlanDefinition, Unresolved, readPlan } from './bound-plan.ts'
import type { Definitions } from './definitions.ts'
import { type JsonNode, nodeOf, nodesBelow, nodesOf, textOf } from './json-tree.ts'
import { type FullName, type Place, databaseName, isSame, objectName, quoted } from './names.ts'
import type { Serializer } from './serialized.ts'
import { foldedText } from '../folded-text.ts'

/** What a statement that defines something does. */
export interface Defining {
  readonly uses: readonly ObjectUse[]
  readonly changes: readonly ObjectChange[]
  /** What is there as before, under its name, and is another now. */
  readonly altered?: readonly ObjectName[]
}

export interface DefinitionWorld {
  readonly connection: DuckDBConnection
  readonly serializer: Serializer
  readonly definitions: Definitions
  readonly place: Place
}

const TYPES: Readonly<Record<string, ObjectType>> = {
  SCHEMA_ENTRY: 'database',
  TABLE_ENTRY: 'table',
  VIEW_ENTRY: 'view',
  MACRO_ENTRY: 'function',
  TABLE_MACRO_ENTRY: 'function',
  SEQUENCE_ENTRY: 'sequence',
  TYPE_ENTRY: 'type',
  INDEX_ENTRY: 'index',
}

/** Of what ALTER and COMMENT name. */
const ALTERED: Readonly<Record<string, ObjectType>> = {
  ALTER_TABLE: 'table',
  ALTER_VIEW: 'view',
  ALTER_SEQUENCE: 'sequence',
}

/** DuckDB looks for either under one name, and COMMENT takes the one for the other. */
const ALIKE: Readonly<Partial<Record<ObjectType, ObjectType>>> = { table: 'view', view: 'table' }

const LISTS: Readonly<Partial<Record<ObjectType, { listing: string; column: string }>>> = {
  table: { listing: 'duckdb_tables', column: 'table_name' },
  sequence: { listing: 'duckdb_sequences', column: 'sequence_name' },
  type: { listing: 'duckdb_types', column: 'type_name' },
  index: { listing: 'duckdb_indexes', column: 'index_name' },
  database: { listing: 'duckdb_schemas', column: 'schema_name' },
}

const use = (action: ObjectAction, object: ObjectName): ObjectUse => ({ action, object, through: null })

const isColumn = (expression: JsonNode): boolean => expression['class'] === 'COLUMN_REF'

/** A user who alters a table by an expression learns of the values that make it fail. */
const readOf = (object: ObjectName): ObjectUse => ({ ...use('read', object), ofTarget: true })

/** ALTER … TYPE without USING is a cast of the column, and nothing more. */
function computesValues(info: JsonNode): boolean {
  if (textOf(info, 'alter_table_type') !== 'ALTER_COLUMN_TYPE') return false
  const expression = nodeOf(info, 'expression')
  const child = nodeOf(expression, 'child')
  const names = Array.isArray(child['column_names']) ? child['column_names'] : []
  const isItself = names.length === 1 && isSameName(String(names[0]), textOf(info, 'column_name'))
  return expression['class'] !== 'CAST' || !isColumn(child) || !isItself
}

/** Finds the object of a CREATE, ALTER or DROP. Throws an `Unresolved` at anything that it does not know. */
export async function definingOf(world: DefinitionWorld, definition: PlanDefinition): Promise<Defining> {
  const { operator, info } = definition
  if (operator === 'DROP') return dropping(world, info)
  const defining = await (operator === 'ALTER' ? altering(world, info) : creating(world, info))
  // The sequences that a macro draws from are checked for the users who call it.
  if (operator === 'CREATE_MACRO') return defining
  return { ...defining, uses: [...defining.uses, ...(await drawnIn(world, info))] }
}

const DRAWS = /^(currval|nextval)$/i

/** Sequences that a default draws from whenever a row is added. */
async function drawnIn(world: DefinitionWorld, info: JsonNode): Promise<ObjectUse[]> {
  const uses: ObjectUse[] = []
  for (const { node } of nodesBelow(info, null, () => ({ held: null }))) {
    if (!DRAWS.test(textOf(node, 'function_name'))) continue
    const plan = await world.serializer.plan(`SELECT ${drawing(nodesOf(node, 'children'))}`)
    if (!plan) throw new Unresolved('it draws from a sequence that is not known')
    uses.push(...readPlan(plan).sequences.map((name) => use('update', objectName('sequence', name))))
  }
  return uses
}

function drawing([argument]: readonly JsonNode[]): string {
  const name = nodeOf(argument ?? {}, 'value')['value']
  if (typeof name !== 'string') throw new Unresolved('it draws from a sequence that is not named')
  return `system.main.nextval(${quotedString(name)})`
}

function named(type: ObjectType, info: JsonNode, { place }: DefinitionWorld): FullName {
  const catalog = textOf(info, 'catalog') || place.catalog
  const own = ['name', 'table', 'view_name', 'index_name'].map((key) => textOf(info, key)).find(Boolean) ?? ''
  if (type === 'database') return { catalog, schema: textOf(info, 'schema') || own, name: '' }
  if (!own) throw new Unresolved('what it defines has no name')
  return { catalog, schema: textOf(info, 'schema') || place.schema, name: own }
}

const nameOf = (type: ObjectType, name: FullName): ObjectName =>
  type === 'database' ? databaseName(name) : objectName(type, name)

const typeIn = (types: Readonly<Record<string, ObjectType>>, entry: string): ObjectType => {
  const type = types[entry]
  if (!type) throw new Unresolved(`${entry || 'what it defines'} is not known here`)
  return type
}

async function creating(world: DefinitionWorld, info: JsonNode): Promise<Defining> {
  const type = typeIn(TYPES, textOf(info, 'type'))
  // An index has the name of its table beside its own.
  const wanted = named(type, type === 'index' ? { ...info, table: undefined } : info, world)
  const uses = [use('create', nameOf(type, wanted)), ...referred(wanted, info)]
  if (type === 'index') {
    const table = { ...wanted, name: textOf(info, 'table') }
    const found = objectName('table', (await trueName(world, 'table', table)) ?? table)
    uses.push(use('alter', found))
    if (!nodesOf(info, 'parsed_expressions').every(isColumn)) uses.push(readOf(found))
  }
  const onConflict = textOf(info, 'on_conflict')
  const before = onConflict === 'ERROR_ON_CONFLICT' ? null : await trueName(world, type, wanted)
  const created: ObjectChange = { change: 'created', object: nameOf(type, wanted) }
  if (!before) return { uses, changes: [created] }
  if (onConflict !== 'REPLACE_ON_CONFLICT') return { uses, changes: [] }
  const object = nameOf(type, before)
  return { uses: [...uses, use('drop', object)], changes: [{ change: 'dropped', object }, created] }
}

/** A foreign key reveals which values are in the table that it refers to. */
function referred({ catalog, schema }: Place, info: JsonNode): ObjectUse[] {
  return nodesOf(info, 'constraints')
    .filter((constraint) => constraint['type'] === 'FOREIGN_KEY')
    .map((key) => {
      const name = { catalog, schema: textOf(key, 'schema') || schema, name: textOf(key, 'table') }
      return use('read', objectName('table', name))
    })
}

/** What is dropped or altered, by its true name; null when there is no such thing. */
async function defined(
  world: DefinitionWorld,
  asked: ObjectType,
  info: JsonNode,
): Promise<{ readonly type: ObjectType; readonly found: FullName } | null> {
  const wanted = named(asked, info, world)
  for (const type of [asked, ALIKE[asked]]) {
    const found = type && (await trueName(world, type, wanted))
    if (found) return { type, found }
  }
  // DuckDB has found it, or there would be no plan. Databases alone it looks for when it runs.
  const isThere = asked !== 'database' && textOf(info, 'if_not_found') !== 'RETURN_NULL'
  return isThere ? { type: asked, found: wanted } : null
}

async function dropping(world: DefinitionWorld, info: JsonNode): Promise<Defining> {
  const known = await defined(world, typeIn(TYPES, textOf(info, 'type')), info)
  if (!known) return { uses: [], changes: [] }
  const { type, found } = known
  const object = nameOf(type, found)
  const uses = [use('drop', object)]
  if (type === 'index') uses.push(use('alter', objectName('table', await tableOfIndex(world, found))))
  return { uses, changes: [{ change: 'dropped', object }] }
}

async function altering(world: DefinitionWorld, info: JsonNode): Promise<Defining> {
  const entry = textOf(info, 'entry_catalog_type') || textOf(info, 'catalog_entry_type')
  const known = await defined(
    world,
    entry ? typeIn(TYPES, entry) : typeIn(ALTERED, textOf(info, 'type')),
    info,
  )
  if (!known) return { uses: [], changes: [] }
  const { type, found } = known
  const object = nameOf(type, found)
  const uses = [use('alter', object)]
  if (computesValues(info)) uses.push(readOf(object))
  const owner = textOf(info, 'owner_name')
  if (owner) {
    const table = { ...found, schema: textOf(info, 'owner_schema') || found.schema, name: owner }
    uses.push(use('alter', objectName('table', table)))
  }
  if (type === 'index') uses.push(use('alter', objectName('table', await tableOfIndex(world, found))))
  const isRename = /^RENAME_(TABLE|VIEW)$/.test(
    textOf(info, 'alter_table_type') || textOf(info, 'alter_view_type'),
  )
  if (!isRename) return { uses, changes: [], altered: [object] }
  const name = textOf(info, 'new_table_name') || textOf(info, 'new_view_name')
  return { uses, changes: [{ change: 'renamed', object, to: nameOf(type, { ...found, name }) }] }
}

/** In the letters of its definition; null when there is none. */
async function trueName(
  world: DefinitionWorld,
  type: ObjectType,
  wanted: FullName,
): Promise<FullName | null> {
  const found = (list: readonly FullName[]) => list.find((one) => isSame(one, wanted)) ?? null
  if (type === 'view') return found(await world.definitions.views())
  if (type === 'function') return found(await world.definitions.macros())
  if (type !== 'table') return listedName(world, type, wanted)
  const plan = await world.serializer.plan(`FROM ${quoted(wanted)}`)
  if (plan) return found(readPlan(plan).scans)
  // It may be there and yet not be read from here: for what its columns call is looked for where the session stands.
  return (await world.serializer.plan(`DROP TABLE ${quoted(wanted)}`))
    ? listedName(world, type, wanted)
    : null
}

async function listedName(
  { connection }: DefinitionWorld,
  type: ObjectType,
  { catalog, schema, name }: FullName,
): Promise<FullName | null> {
  const list = LISTS[type]
  if (!list) throw new Unresolved(`${type} is not known here`)
  const rows = await connection.runAndReadAll(
    `SELECT database_name, schema_name, ${list.column} FROM system.main.${list.listing}()
      WHERE ${foldedText('database_name')} = $1 AND ${foldedText('schema_name')} = $2
        AND ${foldedText(list.column)} = $3`,
    [catalog, schema, type === 'database' ? schema : name].map(foldedName),
  )
  const [row] = rows.getRows()
  if (!row) return null
  const [database, inSchema, own] = row.map(String)
  return { catalog: database ?? '', schema: inSchema ?? '', name: type === 'database' ? '' : (own ?? '') }
}

async function tableOfIndex({ connection }: DefinitionWorld, index: FullName): Promise<FullName> {
  const rows = await connection.runAndReadAll(
    `SELECT table_name FROM system.main.duckdb_indexes() WHERE database_name = $1 AND schema_name = $2 AND index_name = $3`,
    [index.catalog, index.schema, index.name],
  )
  const [row] = rows.getRows()
  if (!row) throw new Unresolved(`the table of the index ${index.name} is not known`)
  return { ...index, name: String(row[0]) }
}
