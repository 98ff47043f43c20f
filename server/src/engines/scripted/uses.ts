import type { ObjectAction, ObjectChange, ObjectName, ObjectUse } from '../engine/objects.ts'
import type { Select, Statement, TableName } from './statements.ts'
import { findTable } from './write.ts'
import { CATALOG, databaseOf, keyOf, placeOf, type Table, type World } from './world.ts'

export interface UseScene {
  readonly world: World
  readonly temporary: ReadonlyMap<string, Table>
  readonly here: string
}

const databaseObject = (database: string): ObjectName => ({
  type: 'database',
  catalog: CATALOG,
  database,
  name: null,
})

const tableObject = (database: string, { name, view }: Pick<Table, 'name' | 'view'>): ObjectName => ({
  type: view ? 'view' : 'table',
  catalog: CATALOG,
  database,
  name,
})

const isTemporary = ({ parts }: TableName, { temporary }: UseScene): boolean =>
  parts.length === 1 && temporary.has(keyOf(parts[0] ?? ''))

/** The true name of the database that this one is in, or would be. */
const homeOf = (name: TableName, { world, here }: UseScene): string =>
  databaseOf(world, placeOf(name, here), name.offset).name

function existing(action: ObjectAction, name: TableName, scene: UseScene): ObjectUse[] {
  // Of the session: nobody decides on it.
  if (isTemporary(name, scene)) return []
  return [{ action, object: tableObject(homeOf(name, scene), findTable(name, scene)), through: null }]
}

function created(name: TableName, view: Table['view'], scene: UseScene): ObjectUse {
  const { table } = placeOf(name, scene.here)
  return { action: 'create', object: tableObject(homeOf(name, scene), { name: table, view }), through: null }
}

function reads({ from }: Select, scene: UseScene): ObjectUse[] {
  if (from?.kind !== 'table') return []
  const own = existing('read', from.table, scene)
  const { view } = findTable(from.table, scene)
  const [shown] = own
  if (!view || !shown) return own
  const inside = reads(view.select, { ...scene, temporary: new Map(), here: view.database })
  return [...own, ...inside.map((use) => ({ ...use, through: use.through ?? shown.object }))]
}

/** What a statement does with what is defined; what the service sends for itself is not asked about. */
export function usesOf(statement: Statement, scene: UseScene): ObjectUse[] {
  switch (statement.kind) {
    case 'select':
      return reads(statement.select, scene)
    case 'create table': {
      const read = 'items' in statement.made ? reads(statement.made, scene) : []
      return statement.temporary ? read : [created(statement.table, null, scene), ...read]
    }
    case 'create view': {
      const view = { select: statement.select, database: scene.here }
      return [created(statement.table, view, scene), ...reads(statement.select, scene)]
    }
    case 'drop table':
      if (statement.lenient && !isThere(statement.table, scene)) return []
      return existing('drop', statement.table, scene)
    case 'insert': {
      const read = 'items' in statement.rows ? reads(statement.rows, scene) : []
      return [...existing('insert', statement.table, scene), ...read]
    }
    case 'update':
    case 'delete': {
      // To choose among rows is to read them.
      const read = statement.where ? existing('read', statement.table, scene) : []
      return [
        ...read.map((one) => ({ ...one, ofTarget: true as const })),
        ...existing(statement.kind, statement.table, scene),
      ]
    }
    case 'make database':
      return [{ action: 'create', object: databaseObject(statement.place.database), through: null }]
    case 'unmake database':
      return [{ action: 'drop', object: databaseObject(statement.place.database), through: null }]
    case 'list databases':
    case 'find database':
    case 'find object':
    case 'list tables':
    case 'list both':
    case 'list all tables':
    case 'enter':
    case 'zone':
    case 'begin':
    case 'commit':
    case 'rollback':
      return []
  }
}

function isThere(name: TableName, scene: UseScene): boolean {
  const { table, database } = placeOf(name, scene.here)
  const found = scene.world.databases.get(keyOf(database))?.tables.has(keyOf(table)) ?? false
  return isTemporary(name, scene) || found
}

/** What is there or gone since then, for everyone. */
export function changesBetween(before: World, after: World): ObjectChange[] {
  const dropped: ObjectChange[] = []
  const made: ObjectChange[] = []
  for (const [key, { name, tables }] of before.databases) {
    const now = after.databases.get(key)
    if (!now) dropped.push({ change: 'dropped', object: databaseObject(name) })
    for (const [at, table] of now ? tables : [])
      // A table that was recreated has columns of its own.
      if (now?.tables.get(at)?.columns !== table.columns)
        dropped.push({ change: 'dropped', object: tableObject(name, table) })
  }
  for (const [key, { name, tables }] of after.databases) {
    const then = before.databases.get(key)
    if (!then) made.push({ change: 'created', object: databaseObject(name) })
    for (const [at, table] of tables)
      if (then?.tables.get(at)?.columns !== table.columns)
        made.push({ change: 'created', object: tableObject(name, table) })
  }
  return [...dropped, ...made]
}
