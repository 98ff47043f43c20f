import type { TokenEdits } from '@boathouse/sql'
import { asName } from './names.ts'
import type { Source } from './source.ts'

/** What stands between the name or the columns of a new table and its query, as ENGINE=InnoDB or DISTRIBUTED BY HASH (id). */
export interface TableOptions {
  /** The first token behind them: that of a query, or of the end. */
  readonly next: number
  /** The columns of a primary key, in double quotes; StarRocks has it here. */
  readonly key: string | null
  /** Why the table is not made; null: it is. */
  readonly refusal: string | null
}

const BEHIND = new Set(['AS', 'SELECT', ';', 'WITH'])
const LAYOUT = new Set(['DISTRIBUTED', 'DUPLICATE', 'ORDER', 'PARTITION', 'PROPERTIES'])
const OTHER_MODELS = new Set(['AGGREGATE', 'UNIQUE'])

const NO_LAYOUT =
  'DUPLICATE KEY, PARTITION BY, DISTRIBUTED BY, ORDER BY and PROPERTIES have no effect: how a table is stored is decided here.'
const NOT_REPLACED =
  'An INSERT is refused when its primary key is already there, and replaces no row. To replace rows, use REPLACE INTO.'
const NO_OTHER_MODELS =
  'UNIQUE KEY and AGGREGATE KEY are not available behind the columns of a table: an INSERT neither replaces nor sums up rows. Leave the clause out, or use PRIMARY KEY.'

/** Reads them from a token on, and warns of what has no effect. */
export function readOptions(source: Source, first: number, edits: TokenEdits): TableOptions {
  let key: string | null = null
  let refusal: string | null = null
  let at = first
  for (; at < source.until && !BEHIND.has(source.word(at)); at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (LAYOUT.has(word)) edits.warn(NO_LAYOUT)
    const isKey = source.word(at + 1) === 'KEY' && source.word(at + 2) === '('
    if (isKey && OTHER_MODELS.has(word)) refusal = NO_OTHER_MODELS
    if (!isKey || word !== 'PRIMARY') continue
    key = columnsIn(source, at + 2)
    edits.warn(NOT_REPLACED)
  }
  return { next: at, key, refusal }
}

/** Of a list in parentheses. */
function columnsIn(source: Source, opening: number): string {
  const columns: string[] = []
  for (let at = opening + 1; at < source.partner(opening); at++)
    if (source.word(at) !== ',') columns.push(asName(source.written(at, at)))
  return columns.join(', ')
}
