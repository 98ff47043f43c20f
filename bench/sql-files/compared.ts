import { LIMITS, type Row } from '@boathouse/contract'

/** What one side made of a statement. */
export type Outcome = { readonly rows: readonly Row[] } | { readonly error: string }

export type Verdict = 'same' | 'refused' | 'different'

/** The driver writes some values otherwise than the product does; what they say is the same. */
function alike(cell: string | null): string {
  if (cell === null) return 'NULL'
  const number = Number(cell)
  if (cell.trim() !== '' && Number.isFinite(number)) return number.toPrecision(12)
  return cell
    .replaceAll(/["'\s]/g, '')
    .replaceAll(/(\.\d*?)0+(?=\D|$)/g, '$1')
    .toLowerCase()
}

/** A long cell comes as its beginning. */
const asSent = (cell: string | null): string | null => cell && cell.slice(0, LIMITS.cellLength)

/** Without their order, which only some statements say. */
const rowsAlike = (rows: readonly Row[]): string =>
  JSON.stringify(
    rows.map((row) => JSON.stringify(row.map(asSent).map(alike))).sort((a, b) => (a < b ? -1 : 1)),
  )

/** Refused: it runs in process, and not here. Of more rows than the product hands over, nobody says which are the first. */
export function verdictOf(product: Outcome, peer: Outcome, hasRows: boolean): Verdict {
  if ('error' in product) return 'error' in peer ? 'same' : 'refused'
  if ('error' in peer) return 'different'
  if (!hasRows) return 'same'
  if (peer.rows.length >= LIMITS.selectRows)
    return product.rows.length === peer.rows.length ? 'same' : 'different'
  return rowsAlike(product.rows) === rowsAlike(peer.rows) ? 'same' : 'different'
}

/** Without what differs from one statement to another, so that reasons can be counted. */
export const reasonOf = (message: string): string =>
  (message.split('\n')[0] ?? '')
    .replaceAll(/\(code \d+\).*$/g, '')
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|\d+/g, '…')
    .trim()
    .slice(0, 160)
