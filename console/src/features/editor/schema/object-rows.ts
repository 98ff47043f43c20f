import { databaseId, objectId } from '../tabs/place.ts'
import type { ObjectKind, Place } from '../tabs/place.ts'
import { noteOf, notesAfter, notesBefore, NOT_YET } from './schema-notes.ts'
import type { Noted } from './schema-notes.ts'
import type { Context, SchemaRow } from './schema-rows.ts'

/** Rows of one level, each with its place among the others. */
function numbered(setSize: number) {
  const rows: SchemaRow[] = []
  let last = 0
  const next = (): number => (last += 1)
  return {
    rows,
    /** The place of the next row, for one that is put there by itself. */
    next,
    add(row: Omit<SchemaRow, 'posInSet' | 'setSize'>): void {
      rows.push({ ...row, posInSet: next(), setSize })
    },
  }
}

interface Table {
  readonly id: string
  readonly place: Place
}

/** The columns of a table that is open. */
function columnRows({ tree, matches, say }: Context, { id, place }: Table, isWhole: boolean): SchemaRow[] {
  const branch = tree.columns.get(id) ?? NOT_YET
  const above = { parentId: id, level: 4, place }
  const about: Noted = { contents: 'columns', branch, above, say }
  const columns = (branch.list ?? []).filter(({ name }) => isWhole || matches(name))
  const [before, after] = [notesBefore(about), notesAfter(about)]
  const { rows, add } = numbered(before.length + columns.length + after.length)
  before.forEach(add)
  for (const { name, type } of columns)
    add({ id: `${id}\0${name}`, name, kind: 'column', ...above, expanded: null, hint: type })
  after.forEach(add)
  return rows
}

interface Listed {
  readonly kind: ObjectKind
  readonly names: readonly string[]
  readonly about: Noted
}

/**
 * What is in a database. There may be a hundred thousand of them, so each row is made once.
 * `isWhole`: something above has the filter's text in its name, so nothing below is left out.
 */
export function objectRows(context: Context, place: Place, isWhole: boolean): SchemaRow[] {
  const { tree, matches, say, openRows } = context
  const parentId = databaseId(place)
  const tables = tree.tables.get(parentId) ?? NOT_YET
  const views = tree.views.get(parentId) ?? NOT_YET
  const materialized = tree.materialized.get(parentId) ?? NOT_YET
  const above = { parentId, level: 3, place }
  const listed: Listed[] = [
    {
      kind: 'table',
      names: (tables.list ?? []).map(({ tableName }) => tableName),
      about: { contents: 'tables', branch: tables, above, say },
    },
    {
      kind: 'view',
      names: (views.list ?? []).map(({ name }) => name),
      about: { contents: 'views', branch: views, above, say },
    },
    {
      kind: 'materialized_view',
      names: (materialized.list ?? []).map(({ mvName }) => mvName),
      about: { contents: 'materialized', branch: materialized, above, say },
    },
  ]
  const kept = listed.map(({ kind, names, about }) => {
    const begin = objectId(place, kind, '')
    // Most databases have no table open, and many have very many tables.
    const hasOpen = [...tree.columns.keys()].some((id) => id.startsWith(begin))
    const isOpen = (name: string): boolean => hasOpen && openRows.has(begin + name)
    const holdsMatch = (name: string): boolean =>
      isOpen(name) && (tree.columns.get(begin + name)?.list ?? []).some((column) => matches(column.name))
    const wanted = isWhole ? names : names.filter((name) => matches(name) || holdsMatch(name))
    return { kind, begin, isOpen, names: wanted, after: notesAfter(about) }
  })
  const before = notesBefore(...listed.map(({ about }) => about))
  const setSize = kept.reduce((sum, { names, after }) => sum + names.length + after.length, before.length)
  const { rows, add, next } = numbered(setSize === 0 ? 1 : setSize)
  const [first] = listed
  if (setSize === 0 && isWhole && first) add(noteOf('empty', { ...first.about, contents: 'objects' }))
  before.forEach(add)
  for (const { kind, begin, isOpen, names, after } of kept) {
    for (const name of names) {
      const id = begin + name
      const expanded = isOpen(name)
      rows.push({ id, name, kind, level: 3, parentId, expanded, place, posInSet: next(), setSize })
      if (expanded) rows.push(...columnRows(context, { id, place }, isWhole || matches(name)))
    }
    after.forEach(add)
  }
  return rows
}
