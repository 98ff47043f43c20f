import type { Catalog, Database, Table, View } from '@boathouse/contract/schema'
import { catalogId, databaseId, objectId } from '../tabs/place.ts'
import type { Place } from '../tabs/place.ts'
import { isNote, noteOf, notesAfter, notesBefore } from './schema-notes.ts'
import type { Branch, Note, Noted, NoteKind, Say } from './schema-notes.ts'
import type { TreeRow } from '../../../ui/tree/tree-rows.ts'

export interface SchemaTree {
  readonly catalogs: Branch<Catalog>
  /** By the id of the row above; only of rows that are open. */
  readonly databases: ReadonlyMap<string, Branch<Database>>
  readonly tables: ReadonlyMap<string, Branch<Table>>
  readonly views: ReadonlyMap<string, Branch<View>>
}

export interface SchemaRow extends TreeRow {
  readonly kind: 'catalog' | 'database' | 'table' | 'view' | NoteKind
  /** The row's own, or the one it is in. */
  readonly place: Place
  readonly retry?: () => unknown
}

interface Shown {
  readonly openRows: ReadonlySet<string>
  readonly filter: string
  readonly say: Say
}

/** A row before its place among its siblings is known, with what is below it. */
interface Grown {
  readonly row: Omit<SchemaRow, 'posInSet' | 'setSize'>
  readonly below: readonly SchemaRow[]
}

const NO_ROWS: readonly SchemaRow[] = []
const NOT_YET: Branch<never> = { list: undefined, total: 0, error: null, retry: () => undefined }

const leaf = (row: Grown['row']): Grown => ({ row, below: NO_ROWS })

function inOrder(grown: readonly Grown[]): SchemaRow[] {
  const rows: SchemaRow[] = []
  for (const [at, { row, below }] of grown.entries()) {
    rows.push({ ...row, posInSet: at + 1, setSize: grown.length })
    for (const one of below) rows.push(one)
  }
  return rows
}

interface Context extends Shown {
  readonly tree: SchemaTree
  readonly matches: (name: string) => boolean
}

/**
 * What is in a database. There may be a hundred thousand of them, so each row is made once.
 * `isWhole`: something above has the filter's text in its name, so nothing below is left out.
 */
function objectRows({ tree, matches, say }: Context, place: Place, isWhole: boolean): SchemaRow[] {
  const parentId = databaseId(place)
  const tables = tree.tables.get(parentId) ?? NOT_YET
  const views = tree.views.get(parentId) ?? NOT_YET
  const above = { parentId, level: 3, place }
  const aboutTables: Noted = { contents: 'tables', branch: tables, above, say }
  const aboutViews: Noted = { contents: 'views', branch: views, above, say }
  const isWanted = (name: string): boolean => isWhole || matches(name)
  const tableNames = (tables.list ?? []).map(({ tableName }) => tableName).filter(isWanted)
  const viewNames = (views.list ?? []).map(({ name }) => name).filter(isWanted)
  const before = notesBefore(aboutTables, aboutViews)
  const afterTables = notesAfter(aboutTables)
  const afterViews = notesAfter(aboutViews)
  const notes = before.length + afterTables.length + afterViews.length
  const setSize = notes + tableNames.length + viewNames.length
  if (setSize === 0)
    return isWhole ? inOrder([leaf(noteOf('empty', { ...aboutTables, contents: 'objects' }))]) : []

  const rows: SchemaRow[] = []
  const addNote = (note: Note) => rows.push({ ...note, posInSet: rows.length + 1, setSize })
  const add = (kind: 'table' | 'view', names: readonly string[]) => {
    const idBegin = objectId(place, kind, '')
    for (const name of names) {
      const posInSet = rows.length + 1
      rows.push({
        id: idBegin + name,
        name,
        kind,
        level: 3,
        posInSet,
        setSize,
        parentId,
        expanded: null,
        place,
      })
    }
  }
  before.forEach(addNote)
  add('table', tableNames)
  afterTables.forEach(addNote)
  add('view', viewNames)
  afterViews.forEach(addNote)
  return rows
}

const isKept = (isWhole: boolean, below: readonly SchemaRow[]): boolean =>
  isWhole || below.some((row) => !isNote(row))

function databaseRows(context: Context, catalog: string, isWhole: boolean): SchemaRow[] {
  const parentId = catalogId(catalog)
  const branch = context.tree.databases.get(parentId) ?? NOT_YET
  const above = { parentId, level: 2, place: { catalog, database: '' } }
  const about: Noted = { contents: 'databases', branch, above, say: context.say }
  const grown: Grown[] = notesBefore(about).map(leaf)
  for (const { name } of branch.list ?? []) {
    const place = { catalog, database: name }
    const id = databaseId(place)
    const isWholeBelow = isWhole || context.matches(name)
    const expanded = context.openRows.has(id)
    const below = expanded ? objectRows(context, place, isWholeBelow) : NO_ROWS
    if (isKept(isWholeBelow, below))
      grown.push({ row: { id, name, kind: 'database', level: 2, parentId, place, expanded }, below })
  }
  grown.push(...notesAfter(about).map(leaf))
  return inOrder(grown.length === 0 && isWhole ? [leaf(noteOf('empty', about))] : grown)
}

/**
 * EDITOR-02, as far as tables and views go: catalogs, the databases of those that are open, and in open databases the
 * tables, then the views. A filter keeps what has its text in the name, with all below it, and what leads there.
 */
export function schemaRows(tree: SchemaTree, shown: Shown): SchemaRow[] {
  const sought = shown.filter.toLowerCase()
  const context: Context = { ...shown, tree, matches: (name) => name.toLowerCase().includes(sought) }
  const grown: Grown[] = []
  for (const { name } of tree.catalogs.list ?? []) {
    const id = catalogId(name)
    const isWhole = context.matches(name)
    const expanded = shown.openRows.has(id)
    const below = expanded ? databaseRows(context, name, isWhole) : NO_ROWS
    const place = { catalog: name, database: '' }
    if (isKept(isWhole, below))
      grown.push({ row: { id, name, kind: 'catalog', level: 1, parentId: '', place, expanded }, below })
  }
  return inOrder(grown)
}
