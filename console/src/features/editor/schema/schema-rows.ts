import type { MaterializedView } from '@boathouse/contract/materialized-views'
import type { Catalog, Database } from '@boathouse/contract/schema'
import type { ColumnDetail } from '@boathouse/contract/schema-objects'
import { catalogId, databaseId, objectId } from '../tabs/place.ts'
import type { ObjectKind, Place } from '../tabs/place.ts'
import { objectRows } from './object-rows.ts'
import { isNote, noteOf, notesAfter, notesBefore, NOT_YET } from './schema-notes.ts'
import type { Branch, Noted, NoteKind, Say } from './schema-notes.ts'
import { joined, type RowList } from '../../../ui/tree/row-list.ts'
import type { TreeRow } from '../../../ui/tree/tree-rows.ts'

export interface SchemaTree {
  readonly catalogs: Branch<Catalog>
  /** By the id of the row above; only of rows that are open. */
  readonly databases: ReadonlyMap<string, Branch<Database>>
  /** Their names. */
  readonly tables: ReadonlyMap<string, Branch<string>>
  readonly views: ReadonlyMap<string, Branch<string>>
  readonly materialized: ReadonlyMap<string, Branch<MaterializedView>>
  readonly columns: ReadonlyMap<string, Branch<ColumnDetail>>
}

export interface SchemaRow extends TreeRow {
  readonly kind: 'catalog' | 'database' | ObjectKind | 'column' | NoteKind
  /** The row's own, or the one it is in. */
  readonly place: Place
  /** Of a column: its type. */
  readonly hint?: string
  readonly retry?: () => unknown
}

/** Something in a database that is not open, and has the filter's text in its name. */
export interface FoundObject {
  readonly kind: ObjectKind
  readonly name: string
}

export interface Shown {
  readonly openRows: ReadonlySet<string>
  readonly filter: string
  readonly say: Say
  /** By the id of the database. */
  readonly found: ReadonlyMap<string, readonly FoundObject[]>
}

/** What is below a row. */
export interface Below {
  readonly rows: RowList<SchemaRow>
  /** Something is there that is no note. */
  readonly isSome: boolean
}

/** A row before its place among its siblings is known, with what is below it. */
interface Grown {
  readonly row: Omit<SchemaRow, 'posInSet' | 'setSize'>
  readonly below: Below
}

const NOTHING: Below = { rows: joined<SchemaRow>([]), isSome: false }

const leaf = (row: Grown['row']): Grown => ({ row, below: NOTHING })

function inOrder(grown: readonly Grown[]): Below {
  const pieces = grown.flatMap(({ row, below }, at) => [
    { ...row, posInSet: at + 1, setSize: grown.length },
    below.rows,
  ])
  return {
    rows: joined<SchemaRow>(pieces),
    isSome: grown.some(({ row, below }) => below.isSome || !isNote(row)),
  }
}

export interface Context extends Shown {
  readonly tree: SchemaTree
  readonly matches: (name: string) => boolean
}

function foundRows({ found }: Context, place: Place): Below {
  const parentId = databaseId(place)
  const inIt = found.get(parentId) ?? []
  const rows = inIt.map(({ kind, name }, at): SchemaRow => ({
    id: objectId(place, kind, name),
    name,
    kind,
    level: 3,
    posInSet: at + 1,
    setSize: inIt.length,
    parentId,
    expanded: null,
    place,
  }))
  return { rows: joined(rows), isSome: rows.length > 0 }
}

function databaseRows(context: Context, catalog: string, isWhole: boolean): Below {
  const parentId = catalogId(catalog)
  const branch = context.tree.databases.get(parentId) ?? NOT_YET
  const above = { parentId, level: 2, place: { catalog, database: '' } }
  const about: Noted = { contents: 'databases', branch, above, say: context.say }
  const grown: Grown[] = notesBefore(about).map(leaf)
  for (const { name } of branch.list ?? []) {
    const place = { catalog, database: name }
    const id = databaseId(place)
    const isWholeBelow = isWhole || context.matches(name)
    const isOpen = context.openRows.has(id)
    const below = isOpen ? objectRows(context, place, isWholeBelow) : foundRows(context, place)
    const expanded = isOpen || below.rows.length > 0
    if (isWholeBelow || below.isSome)
      grown.push({ row: { id, name, kind: 'database', level: 2, parentId, place, expanded }, below })
  }
  grown.push(...notesAfter(about).map(leaf))
  return inOrder(grown.length === 0 && isWhole ? [leaf(noteOf('empty', about))] : grown)
}

/**
 * Catalogs, the databases of those that are open, in open databases the tables, then the views, then the materialized
 * views, and the columns of those that are open. A filter keeps what has its text in the name, with all below it, and
 * what leads there.
 */
export function schemaRows(tree: SchemaTree, shown: Shown): RowList<SchemaRow> {
  const sought = shown.filter.toLowerCase()
  const context: Context = { ...shown, tree, matches: (name) => name.toLowerCase().includes(sought) }
  const grown: Grown[] = []
  for (const { name } of tree.catalogs.list ?? []) {
    const id = catalogId(name)
    const isWhole = context.matches(name)
    const expanded = shown.openRows.has(id)
    const below = expanded ? databaseRows(context, name, isWhole) : NOTHING
    const place = { catalog: name, database: '' }
    if (isWhole || below.isSome)
      grown.push({ row: { id, name, kind: 'catalog', level: 1, parentId: '', place, expanded }, below })
  }
  return inOrder(grown).rows
}
