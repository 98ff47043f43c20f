/** Columns as the user arranged them; all numbers are places in the original order. */
export interface ColumnView {
  /** Of all columns; null: in the original order. */
  readonly order: readonly number[] | null
  readonly hidden: ReadonlySet<number>
  /** First, and in this order. */
  readonly pinned: readonly number[]
}

export const ALL_COLUMNS: ColumnView = { order: null, hidden: new Set(), pinned: [] }

const orderOf = ({ order }: ColumnView, count: number): readonly number[] =>
  order ?? Array.from({ length: count }, (_, at) => at)

/** What is shown, from left to right. */
export function shownColumns(view: ColumnView, count: number): readonly number[] {
  const pinned = view.pinned.filter((column) => !view.hidden.has(column))
  const others = orderOf(view, count).filter((column) => !view.hidden.has(column) && !pinned.includes(column))
  return [...pinned, ...others]
}

/** The last column that is seen stays. */
export const hideColumn = (view: ColumnView, column: number, count: number): ColumnView =>
  view.hidden.size >= count - 1 ? view : { ...view, hidden: new Set([...view.hidden, column]) }

export const showAllColumns = (view: ColumnView): ColumnView => ({ ...view, hidden: new Set() })

export const togglePinned = (view: ColumnView, column: number): ColumnView => ({
  ...view,
  pinned: view.pinned.includes(column)
    ? view.pinned.filter((one) => one !== column)
    : [...view.pinned, column],
})

export interface ColumnMove {
  readonly from: number
  readonly to: number
  /** Of all columns. */
  readonly count: number
}

/** Takes the place of another that is shown; pinned ones stay among themselves. */
export function moveColumn(view: ColumnView, { from, to, count }: ColumnMove): ColumnView {
  const moved = (list: readonly number[]): number[] => {
    const without = list.filter((column) => column !== from)
    const isForward = list.indexOf(from) < list.indexOf(to)
    without.splice(without.indexOf(to) + (isForward ? 1 : 0), 0, from)
    return without
  }
  const arePinned = [from, to].map((column) => view.pinned.includes(column))
  if (arePinned[0] !== arePinned[1]) return view
  if (arePinned[0]) return { ...view, pinned: moved(view.pinned) }
  return { ...view, order: moved(orderOf(view, count)) }
}
