import { placeOf, type TreeRows } from './row-list.ts'

/** What a tree needs to know of a row; who draws it knows more. */
export interface TreeRow {
  readonly id: string
  readonly name: string
  /** Counted from 1, as are the two places below. */
  readonly level: number
  readonly posInSet: number
  readonly setSize: number
  /** Empty at the top. */
  readonly parentId: string
  /** Null: there is nothing below it. */
  readonly expanded: boolean | null
}

export type TreeMove =
  | { readonly kind: 'focus'; readonly index: number }
  | { readonly kind: 'toggle'; readonly id: string }

/** What a key does on the row at `index`, as trees do it; null: nothing. */
export function treeKey(rows: TreeRows<TreeRow>, index: number, key: string): TreeMove | null {
  const row = rows.at(index)
  if (!row) return null
  const focus = (to: number): TreeMove => ({
    kind: 'focus',
    index: Math.max(0, Math.min(rows.length - 1, to)),
  })
  switch (key) {
    case 'ArrowDown':
      return focus(index + 1)
    case 'ArrowUp':
      return focus(index - 1)
    case 'Home':
      return focus(0)
    case 'End':
      return focus(rows.length - 1)
    case 'ArrowRight':
      if (row.expanded === null) return null
      return row.expanded ? focus(index + 1) : { kind: 'toggle', id: row.id }
    case 'ArrowLeft':
      if (row.expanded) return { kind: 'toggle', id: row.id }
      return row.parentId === '' ? null : focus(placeOf(rows, row.parentId))
    default:
      return null
  }
}

const isOneLetter = (typed: string): boolean => typed.replaceAll(typed.slice(0, 1), '') === ''

/**
 * Where typing leads: to the next name that begins with the letter, or, from two different ones on, to the first name
 * from here that begins with all of them. Wraps around; null if there is none.
 */
export function typeAhead(rows: TreeRows<TreeRow>, index: number, typed: string): number | null {
  const isCycling = isOneLetter(typed)
  const sought = (isCycling ? typed.slice(0, 1) : typed).toLowerCase()
  const first = isCycling ? index + 1 : index
  for (let step = 0; step < rows.length; step++) {
    const at = (first + step) % rows.length
    if (rows.at(at)?.name.toLowerCase().startsWith(sought)) return at
  }
  return null
}
