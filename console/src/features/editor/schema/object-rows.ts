import { databaseId, objectId } from '../tabs/place.ts'
import type { ObjectKind, Place } from '../tabs/place.ts'
import { noteOf, notesAfter, notesBefore, NOT_YET } from './schema-notes.ts'
import type { Noted } from './schema-notes.ts'
import type { Below, Context, SchemaRow } from './schema-rows.ts'
import { joined, type RowList, runOf } from '../../../ui/tree/row-list.ts'

/** Rows of one level, each with its place among the others. */
function numbered(setSize: number) {
  const rows: SchemaRow[] = []
  let last = 0
  return {
    rows,
    add(row: Omit<SchemaRow, 'posInSet' | 'setSize'>): void {
      rows.push({ ...row, posInSet: (last += 1), setSize })
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

/** Tables that are open stand for themselves, with their columns; what is between them is made when it is seen. */
function pieces(
  names: readonly string[],
  isOpen: ((name: string) => boolean) | null,
): (string | readonly string[])[] {
  if (!isOpen) return [names]
  const found: (string | readonly string[])[] = []
  let begin = 0
  for (const [at, name] of names.entries()) {
    if (!isOpen(name)) continue
    found.push(names.slice(begin, at), name)
    begin = at + 1
  }
  return [...found, names.slice(begin)]
}

/**
 * What is in a database. There may be a hundred thousand of them, so a row is made when it is seen.
 * `isWhole`: something above has the filter's text in its name, so nothing below is left out.
 */
export function objectRows(context: Context, place: Place, isWhole: boolean): Below {
  const { tree, matches, say, openRows } = context
  const parentId = databaseId(place)
  const tables = tree.tables.get(parentId) ?? NOT_YET
  const views = tree.views.get(parentId) ?? NOT_YET
  const materialized = tree.materialized.get(parentId) ?? NOT_YET
  const above = { parentId, level: 3, place }
  const listed: Listed[] = [
    {
      kind: 'table',
      names: tables.list ?? [],
      about: { contents: 'tables', branch: tables, above, say },
    },
    {
      kind: 'view',
      names: views.list ?? [],
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
    const isOpen = hasOpen ? (name: string): boolean => openRows.has(begin + name) : null
    const holdsMatch = (name: string): boolean =>
      isOpen !== null &&
      isOpen(name) &&
      (tree.columns.get(begin + name)?.list ?? []).some((column) => matches(column.name))
    const wanted = isWhole ? names : names.filter((name) => matches(name) || holdsMatch(name))
    return { kind, begin, isOpen, names: wanted, after: notesAfter(about) }
  })
  const before = notesBefore(...listed.map(({ about }) => about))
  const count = kept.reduce((sum, { names }) => sum + names.length, 0)
  const notes = kept.reduce((sum, { after }) => sum + after.length, before.length)
  const setSize = Math.max(1, count + notes)
  const rows: (SchemaRow | RowList<SchemaRow>)[] = []
  let last = 0
  const add = (row: Omit<SchemaRow, 'posInSet' | 'setSize'>): void =>
    void rows.push({ ...row, posInSet: (last += 1), setSize })
  const [first] = listed
  if (count + notes === 0 && isWhole && first) add(noteOf('empty', { ...first.about, contents: 'objects' }))
  before.forEach(add)
  for (const { kind, begin, isOpen, names, after } of kept) {
    for (const piece of pieces(names, isOpen)) {
      if (typeof piece === 'string') {
        const id = begin + piece
        add({ id, name: piece, kind, level: 3, parentId, expanded: true, place })
        rows.push(joined(columnRows(context, { id, place }, isWhole || matches(piece))))
        continue
      }
      const from = last
      last += piece.length
      rows.push(
        runOf<SchemaRow>({
          begin,
          names: piece,
          make: (name, at) => ({
            id: begin + name,
            name,
            kind,
            level: 3,
            parentId,
            expanded: false,
            place,
            posInSet: from + at + 1,
            setSize,
          }),
        }),
      )
    }
    after.forEach(add)
  }
  return { rows: joined(rows), isSome: count > 0 }
}
