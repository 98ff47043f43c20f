import { type AccessObject, objectOf, type ObjectType, PARTS } from '@boathouse/contract/privileges'
import { joined, type RowList, runOf } from '../../ui/tree/row-list.ts'
import type { TreeRow } from '../../ui/tree/tree-rows.ts'

/** Types that have names of their own. */
export type NamedType = Exclude<ObjectType, 'system'>
type Part = 'catalog' | 'database' | 'name'

/** Names at one place of the tree: still loading, known, or why not. */
export type Names =
  | { readonly state: 'known'; readonly names: readonly string[] }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }

/** A row stands for an object, for all of a kind at a place, or, without one, for what others are in or a note. */
export interface ObjectRow extends TreeRow {
  readonly object: AccessObject | null
  readonly isNote: boolean
}

const partsOf = (type: NamedType): readonly Part[] => PARTS[type]
const pathOf = (object: AccessObject): string[] =>
  partsOf(object.type as NamedType)
    .map((part) => object[part])
    .filter(Boolean)

/** A line feed is in no name. */
const ROOT = 'all'
const idAt = (path: readonly string[]): string => [ROOT, ...path].join('\n')
/** No name is empty. */
const allIn = (path: readonly string[]): string => `${idAt(path)}\n\n${ROOT}`

/** What is in the place of this id: the names from the outermost on. */
export const pathOfId = (id: string): string[] => id.split('\n').slice(1)

export function rowId(object: AccessObject): string {
  const path = pathOf(object)
  return path.length === partsOf(object.type as NamedType).length ? idAt(path) : allIn(path)
}

const at = (type: NamedType, path: readonly string[]): AccessObject =>
  objectOf(type, Object.fromEntries(path.map((one, index) => [partsOf(type)[index] ?? 'name', one])))

export interface ObjectTree {
  readonly type: NamedType
  readonly isOpen: (id: string) => boolean
  readonly namesIn: (path: readonly string[]) => Names
  readonly words: {
    /** What the row is called that stands for all of the kind at a place. */
    readonly all: (path: readonly string[]) => string
    readonly loading: string
    readonly none: string
  }
}

/**
 * Places are opened, and what is in them is chosen: single ones, or all of the kind at that place, which is a row of
 * its own, so that nobody chooses it on the way.
 */
export function objectRows(tree: ObjectTree): RowList<ObjectRow> {
  const { type, isOpen, namesIn, words } = tree
  const rows: (ObjectRow | RowList<ObjectRow>)[] = []

  function addInside(path: readonly string[]) {
    const found = namesIn(path)
    const names = found.state === 'known' ? found.names : []
    const parentId = path.length === 0 ? '' : idAt(path)
    const beside = { level: path.length + 1, parentId, setSize: Math.max(1, names.length) + 1 }
    const leaf = { ...beside, expanded: null, isNote: false }
    rows.push({ ...leaf, id: allIn(path), name: words.all(path), posInSet: 1, object: at(type, path) })
    if (names.length === 0) {
      const said = { loading: words.loading, known: words.none, failed: '' }[found.state]
      const name = found.state === 'failed' ? found.message : said
      rows.push({ ...leaf, id: `${idAt(path)}\n\n`, name, posInSet: 2, object: null, isNote: true })
      return
    }
    const isInnermost = path.length + 1 === partsOf(type).length
    // There may be very many of the innermost, so each is made when it is seen.
    if (isInnermost) {
      const make = (name: string, index: number): ObjectRow => ({
        ...leaf,
        id: idAt([...path, name]),
        name,
        posInSet: index + 2,
        object: at(type, [...path, name]),
      })
      rows.push(runOf({ begin: `${idAt(path)}\n`, names, make }))
      return
    }
    names.forEach((name, index) => {
      const id = idAt([...path, name])
      const expanded = isOpen(id)
      rows.push({ ...beside, id, name, posInSet: index + 2, expanded, object: null, isNote: false })
      if (expanded) addInside([...path, name])
    })
  }

  addInside([])
  return joined(rows)
}

/** What a search has found, without the places it is in. */
export function foundRows(found: readonly AccessObject[], note: string | null): RowList<ObjectRow> {
  const setSize = Math.max(1, found.length)
  const flat = { level: 1, parentId: '', expanded: null, setSize } as const
  const rows = found.map((object, index): ObjectRow => ({
    ...flat,
    id: rowId(object),
    name: pathOf(object).join('.'),
    posInSet: index + 1,
    object,
    isNote: false,
  }))
  if (note === null || rows.length > 0) return joined(rows)
  return joined([{ ...flat, id: ROOT, name: note, posInSet: 1, object: null, isNote: true }])
}
