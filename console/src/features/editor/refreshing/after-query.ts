import { kindOf } from '@boathouse/sql'
import type { StatementResult } from '../running/run.ts'
import type { Stale } from './refresher.ts'

export interface Aftermath {
  readonly stale: Stale
  /** After how many milliseconds it is loaded; 0: at once. */
  readonly delaysMs: readonly number[]
}

const AT_ONCE = [0]
const AFTER_ALTER_MS = [2_000, 5_000, 10_000]

/** What may look different after the statement, however it ended. */
export function aftermathOf({ sql }: Pick<StatementResult, 'sql'>): Aftermath | null {
  const [verb] = kindOf(sql).split('-')
  if (verb !== 'create' && verb !== 'drop' && verb !== 'alter') return null
  return {
    stale: { catalogs: /\bcatalog\b/i.test(sql), places: 'all' },
    delaysMs: verb === 'alter' ? AFTER_ALTER_MS : AT_ONCE,
  }
}
