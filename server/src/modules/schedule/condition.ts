import { createHash } from 'node:crypto'
import type { Condition } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'

/** What a condition looks at. */
export interface Looked {
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly totalRows: number
}

export interface Judged {
  readonly met: boolean
  /** Of the rows, where a later run is compared with them. */
  readonly fingerprint: string | null
}

function columnIn({ columns }: Looked, name: string): number {
  const exact = columns.findIndex((one) => one.name === name)
  const at = exact >= 0 ? exact : columns.findIndex((one) => one.name.toLowerCase() === name.toLowerCase())
  if (at >= 0) return at
  throw new AppError(
    'BadInput',
    `The result has no column ${name}. It has ${columns.map((one) => one.name).join(', ')}.`,
  )
}

function numbersOf({ rows }: Looked, at: number, name: string): number[] {
  return rows.flatMap((row) => {
    const cell = row[at] ?? null
    if (cell === null) return []
    const value = cell.trim() === '' ? Number.NaN : Number(cell)
    if (Number.isNaN(value))
      throw new AppError('BadInput', `The column ${name} has values that are not numbers.`)
    return [value]
  })
}

const fingerprintOf = ({ columns, rows, totalRows }: Looked): string =>
  createHash('sha256')
    .update(JSON.stringify([columns.map(({ name }) => name), totalRows, rows]))
    .digest('hex')

const holds = (met: boolean): Judged => ({ met, fingerprint: null })

/** Whether it holds for these rows. `before`: of the run before; null where there was none. */
export function judge({ kind, column, value }: Condition, looked: Looked, before: string | null): Judged {
  switch (kind) {
    case 'any row':
      return holds(looked.totalRows > 0)
    case 'no row':
      return holds(looked.totalRows === 0)
    case 'above':
      return holds(numbersOf(looked, columnIn(looked, column), column).some((one) => one > value))
    case 'below':
      return holds(numbersOf(looked, columnIn(looked, column), column).some((one) => one < value))
    case 'changed': {
      const fingerprint = fingerprintOf(looked)
      return { met: before !== null && before !== fingerprint, fingerprint }
    }
  }
}

/** Whether somebody is notified of it now, or that was not long enough ago. */
export function isLoud(notifiedAt: Date | null, quietMinutes: number, now: Date): boolean {
  return notifiedAt === null || notifiedAt.getTime() + quietMinutes * 60_000 <= now.getTime()
}
