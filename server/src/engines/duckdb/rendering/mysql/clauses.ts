import { type TokenEdits, TOKEN } from '@boathouse/sql'
import { noteLimit } from '../limit.ts'
import { asName } from './names.ts'
import type { Source } from './source.ts'

type Rule = (source: Source, at: number, edits: TokenEdits) => void

function drop(first: number, last: number, edits: TokenEdits): void {
  edits.replace(first, last, ' ')
}

/** Hints of the other server's planner, of its cache and of how rows are locked: nothing of it changes a result. */
const HINTS = new Set(
  `SQL_NO_CACHE SQL_CACHE SQL_CALC_FOUND_ROWS SQL_SMALL_RESULT SQL_BIG_RESULT SQL_BUFFER_RESULT STRAIGHT_JOIN
  HIGH_PRIORITY DISTINCTROW`.split(/\s+/),
)

const select: Rule = (source, at, edits) => {
  for (let next = at + 1; HINTS.has(source.word(next)); next++) {
    // A column may have such a name.
    if (source.word(next + 1) === ',' || source.word(next + 1) === 'FROM' || source.word(next + 1) === '') {
      if (source.kind(next + 1) === 0 || source.word(next + 1) !== '') return
    }
    edits.set(next, source.word(next) === 'DISTINCTROW' ? 'DISTINCT' : ' ')
  }
}

/** {USE | FORCE | IGNORE} {INDEX | KEY} [FOR …] (names) */
const indexHint: Rule = (source, at, edits) => {
  const what = source.word(at + 1)
  if ((what !== 'INDEX' && what !== 'KEY') || !source.endsValue(at - 1)) return
  let opening = at + 2
  if (source.word(opening) === 'FOR') opening += source.word(opening + 1) === 'JOIN' ? 2 : 3
  const closing = source.word(opening) === '(' ? source.partner(opening) : -1
  if (closing > 0) drop(at, closing, edits)
}

const from: Rule = (source, at, edits) => {
  if (source.word(at + 1) === 'DUAL' && source.word(at + 2) !== '.') drop(at, at + 1, edits)
}

const BEHIND_GROUPS = new Set(['HAVING', 'ORDER', 'LIMIT', 'UNION', ')', ';', 'WINDOW', 'FOR', 'INTO'])

/** In order, the totals of a group behind it; where it is grouped by names alone. HAVING comes before an order. */
function orderOfGroups(source: Source, first: number, until: number): string {
  if (source.word(until + 2) === 'HAVING') return ''
  const groups: string[] = []
  for (let at = first; at < until; at += 2) {
    let name = asName(source.written(at, at))
    for (; source.word(at + 1) === '.'; at += 2) name += `.${asName(source.written(at + 2, at + 2))}`
    if (!source.isName(at) || (at + 1 < until && source.word(at + 1) !== ',')) return ''
    groups.push(`grouping(${name}), ${name}`)
  }
  return ` ORDER BY ${groups.join(', ')}`
}

/** GROUP BY a, b WITH ROLLUP */
const group: Rule = (source, at, edits) => {
  if (source.word(at + 1) !== 'BY') return
  for (let next = at + 2; next < source.until; next++) {
    const word = source.word(next)
    if (word === '(') next = Math.max(next, source.partner(next))
    else if (BEHIND_GROUPS.has(word)) return
    else if (word === 'WITH' && source.word(next + 1) === 'ROLLUP') {
      edits.set(at + 1, 'BY ROLLUP (')
      edits.set(next, ')')
      edits.set(next + 1, source.word(next + 2) === 'ORDER' ? '' : orderOfGroups(source, at + 2, next))
      return
    }
  }
}

/** ORDER BY NULL asks for no order at all. */
const order: Rule = (source, at, edits) => {
  if (source.word(at + 1) !== 'BY' || source.word(at + 2) !== 'NULL') return
  const behind = source.word(at + 3)
  const ends =
    at + 3 >= source.until || behind === ')' || behind === 'LIMIT' || behind === ';' || behind === 'UNION'
  if (ends) drop(at, at + 2, edits)
}

/** FOR UPDATE, FOR SHARE and LOCK IN SHARE MODE, at the end. */
const forUpdate: Rule = (source, at, edits) => {
  const word = source.word(at + 1)
  if ((word === 'UPDATE' || word === 'SHARE') && isLast(source, at + 2)) drop(at, at + 1, edits)
}
const lock: Rule = (source, at, edits) => {
  const words = [1, 2, 3].map((step) => source.word(at + step)).join(' ')
  if (words === 'IN SHARE MODE' && isLast(source, at + 4)) drop(at, at + 3, edits)
}
const isLast = (source: Source, at: number): boolean =>
  at >= source.until || source.word(at) === ';' || source.word(at) === ')'

/** COLLATE utf8mb4_bin: texts are compared by their bytes, whatever is written. */
const collate: Rule = (source, at, edits) => {
  const name = source.literal(at + 1) ?? source.written(at + 1, at + 1)
  if (source.endsValue(at - 1) && /^["'`]?(?:utf8\w*|latin1\w*|binary|ascii\w*)["'`]?$/i.test(name))
    drop(at, at + 1, edits)
}

/** BINARY value, where it is an operator. */
const binary: Rule = (source, at, edits) => {
  const next = source.word(at + 1)
  const before = source.word(at - 1)
  if (source.endsValue(at - 1) || before === 'AS' || before === '.' || source.endOfValue(at + 1) < 0) return
  if (next !== '.' && next !== ',') edits.set(at, ' ')
}

const RULES: Readonly<Record<string, Rule>> = {
  BINARY: binary,
  COLLATE: collate,
  FOR: forUpdate,
  FORCE: indexHint,
  FROM: from,
  GROUP: group,
  IGNORE: indexHint,
  LIMIT: (source, at, edits) => noteLimit(source.piece, at, edits),
  LOCK: lock,
  ORDER: order,
  SELECT: select,
  STRAIGHT_JOIN: (source, at, edits) => {
    if (source.endsValue(at - 1) && source.word(at - 1) !== 'SELECT') edits.set(at, 'JOIN')
  },
  USE: indexHint,
}

export function noteClause(source: Source, at: number, edits: TokenEdits): void {
  const word = source.word(at)
  if (Object.hasOwn(RULES, word) && source.word(at - 1) !== '.' && !edits.has(at))
    RULES[word]?.(source, at, edits)
}

const ESCAPES: Readonly<Record<string, string>> = { D: 'DATE ', T: 'TIME ', TS: 'TIMESTAMP ' }

/** {d '2024-01-31'}, {ts '…'}, {fn name(…)} and {oj …}, as drivers write them. */
export class DriverEscapes {
  #open = 0

  constructor(
    private readonly source: Source,
    private readonly edits: TokenEdits,
  ) {}

  note(at: number): void {
    const { source, edits } = this
    const mark = source.word(at)
    if (edits.has(at)) return
    if (mark === '}' && this.#open > 0) {
      this.#open--
      return edits.set(at, ' ')
    }
    if (mark !== '{') return
    const word = source.word(at + 1)
    const type = Object.hasOwn(ESCAPES, word) ? ESCAPES[word] : undefined
    if (type && source.kind(at + 2) === TOKEN.string && source.word(at + 3) === '}') {
      edits.replace(at, at + 1, type)
      edits.set(at + 3, ' ')
    } else if (word === 'FN' || word === 'OJ') {
      edits.replace(at, at + 1, ' ')
      this.#open++
    }
  }
}
