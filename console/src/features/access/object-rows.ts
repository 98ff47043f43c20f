import { type AccessObject, objectOf, type ObjectType, PARTS } from '@boathouse/contract/privileges'
import { joined, type RowList, runOf } from '../../ui/tree/row-list.ts'
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
export function objectRows(tree: ObjectTree): RowList<ObjectRow> {
  const { type, allName, isOpen, namesIn, words } = tree
  const rows: (ObjectRow | RowList<ObjectRow>)[] = []

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
    const { names } = found
    const level = path.length + 2
    const setSize = names.length
    // There may be very many of the innermost, so each is made when it is seen.
    if (path.length + 1 === partsOf(type).length)
      rows.push(
        runOf({
          begin: `${parentId}\n`,
          names,
          make: (name, at) => ({
            id: `${parentId}\n${name}`,
            name,
            level,
            posInSet: at + 1,
            setSize,
            parentId,
            expanded: null,
            object: inside(type, path, name),
          }),
        }),
      )
    else
      names.forEach((name, at) =>
        add(inside(type, path, name), name, { posInSet: at + 1, setSize, parentId }),
      )
  }

  add(objectOf(type), allName, { posInSet: 1, setSize: 1, parentId: '' })
  return joined(rows)
}
