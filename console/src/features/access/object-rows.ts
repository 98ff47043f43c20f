import { type AccessObject, objectOf, type ObjectType, PARTS } from '@boathouse/contract/privileges'
import type { TreeRow } from '../../ui/tree/tree-rows.ts'

/** Types that have names of their own. */
export type NamedType = Exclude<ObjectType, 'system'>
type Part = 'catalog' | 'database' | 'name'

/** Names at one place of the tree: still asked for, known, or why not. */
export type Names =
  | { readonly state: 'known'; readonly names: readonly string[] }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }

/** A row stands for an object, or for all of its kind below it; a note stands for nothing. */
export interface ObjectRow extends TreeRow {
  readonly object: AccessObject | null
}

const partsOf = (type: NamedType): readonly Part[] => PARTS[type]
const pathOf = (object: AccessObject): string[] =>
  partsOf(object.type as NamedType)
    .map((part) => object[part])
    .filter(Boolean)

/** A line feed is in no name. */
export const rowId = (object: AccessObject): string => ['all', ...pathOf(object)].join('\n')

const inside = (type: NamedType, path: readonly string[], name: string): AccessObject =>
  objectOf(
    type,
    Object.fromEntries([...path, name].map((one, index) => [partsOf(type)[index] ?? 'name', one])),
  )

export interface ObjectTree {
  readonly type: NamedType
  /** What the row that holds all is called. */
  readonly allName: string
  readonly isOpen: (id: string) => boolean
  readonly namesIn: (path: readonly string[]) => Names
  readonly words: { readonly loading: string; readonly none: string }
}

/** From all of a kind down to single ones, as far as they are open. */
export function objectRows(tree: ObjectTree): ObjectRow[] {
  const { type, allName, isOpen, namesIn, words } = tree
  const rows: ObjectRow[] = []

  function add(
    object: AccessObject,
    name: string,
    place: Pick<ObjectRow, 'posInSet' | 'setSize' | 'parentId'>,
  ) {
    const path = pathOf(object)
    const id = rowId(object)
    const hasInside = path.length < partsOf(type).length
    const expanded = hasInside ? isOpen(id) : null
    rows.push({ id, name, level: path.length + 1, ...place, expanded, object })
    if (expanded) addInside(path, id)
  }

  function addInside(path: readonly string[], parentId: string) {
    const found = namesIn(path)
    if (found.state !== 'known' || found.names.length === 0) {
      const failed = found.state === 'failed' ? found.message : null
      const name = failed ?? (found.state === 'loading' ? words.loading : words.none)
      rows.push({
        id: `${parentId}\n\n`,
        name,
        level: path.length + 2,
        posInSet: 1,
        setSize: 1,
        parentId,
        expanded: null,
        object: null,
      })
      return
    }
    found.names.forEach((name, index) =>
      add(inside(type, path, name), name, { posInSet: index + 1, setSize: found.names.length, parentId }),
    )
  }

  add(objectOf(type), allName, { posInSet: 1, setSize: 1, parentId: '' })
  return rows
}
