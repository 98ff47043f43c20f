import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './data-table.module.css'

export interface TableColumn<R> {
  readonly key: string
  readonly header: string
  readonly cell: (row: R) => ReactNode
  readonly align?: 'start' | 'end'
  /**
   * Of a column of long texts: how narrow it may become, in pixels. Such columns share what the others leave, by the
   * length of what they hold, and cut it where that is not enough; all others are as wide as what is in them.
   */
  readonly leastPx?: number
  /**
   * The header is only read out, as over a menu button. As the last column it stays visible while the others scroll.
   */
  readonly hideHeader?: boolean
  /** A column without it cannot be sorted by. */
  readonly sortsBy?: (row: R) => string | number
}

export interface TableSort {
  readonly key: string
  readonly descending: boolean
}

interface Props<R> {
  readonly label: string
  readonly columns: readonly TableColumn<R>[]
  readonly rows: readonly R[]
  readonly rowKey: (row: R) => string | number
  readonly sort?: TableSort
  readonly onSort?: (sort: TableSort) => void
  /** In a panel with a title of its own. */
  readonly inPanel?: boolean
  /** Its columns may be more than fit, with nothing in them to go to: the keyboard must be able to scroll it. */
  readonly wide?: boolean
}

/** Ascending or descending by one column; equal rows keep their order. */
export function sortedRows<R>(
  rows: readonly R[],
  columns: readonly TableColumn<R>[],
  { key, descending }: TableSort,
): readonly R[] {
  const sortsBy = columns.find((column) => column.key === key)?.sortsBy
  if (!sortsBy) return rows
  const direction = descending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [sortsBy(one), sortsBy(other)]
    if (typeof a === 'number' && typeof b === 'number') return direction * (a - b)
    return direction * String(a).localeCompare(String(b), 'en', { numeric: true })
  })
}

export function DataTable<R>(props: Props<R>) {
  const { label, columns, rows, rowKey, sort, onSort, inPanel = false, wide = false } = props
  const scrolls = wide ? { tabIndex: 0, role: 'region', 'aria-label': label } : {}
  return (
    <div className={classNames(styles['frame'], inPanel && styles['inPanel'])} {...scrolls}>
      <table className={styles['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <BodyCell key={column.key} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function BodyCell<R>({
  column: { align, leastPx, hideHeader, cell },
  row,
}: {
  column: TableColumn<R>
  row: R
}) {
  return (
    <td data-align={align} data-stays={hideHeader || undefined} style={{ minWidth: leastPx }}>
      {leastPx === undefined ? (
        cell(row)
      ) : (
        <div className={styles['shares']}>
          <div className={styles['cut']}>{cell(row)}</div>
        </div>
      )}
    </td>
  )
}

interface HeaderProps<R> {
  readonly column: TableColumn<R>
  readonly sort: TableSort | undefined
  readonly onSort: ((sort: TableSort) => void) | undefined
}

function HeaderCell<R>({ column, sort, onSort }: HeaderProps<R>) {
  const { key, header, align, hideHeader = false, sortsBy } = column
  const isSorted = sort?.key === key
  const direction = sort?.descending ? 'descending' : 'ascending'
  const title = hideHeader ? <span className="visually-hidden">{header}</span> : header
  if (!sortsBy || !onSort)
    return (
      <th scope="col" data-align={align} data-stays={hideHeader || undefined}>
        {title}
      </th>
    )
  return (
    <th scope="col" data-align={align} aria-sort={isSorted ? direction : 'none'}>
      <button
        type="button"
        className={styles['sort']}
        onClick={() => onSort({ key, descending: isSorted && !sort.descending })}
      >
        {title}
        <span className={styles['arrow']} data-direction={isSorted ? direction : undefined} aria-hidden />
      </button>
    </th>
  )
}
