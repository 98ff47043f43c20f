import type { TokenEdits } from '@boathouse/sql'
import { asName } from './names.ts'
import { endOfName, nameBetween, type NamedTable, tablesBetween } from './named-tables.ts'
import { refuse } from './refusal.ts'
import type { Source } from './source.ts'

const PRIORITIES = new Set(['LOW_PRIORITY', 'QUICK'])
const JOINS = new Set(['JOIN', 'STRAIGHT_JOIN', ','])

/** The number that the engine gives each row of a table. */
const ROW = 'rowid'
/** What the query in the statement is called. */
const FOUND = 'mysql_found'

/** Where the parts of a statement begin; the end of the statement where one is missing. */
interface Parts {
  readonly set: number
  readonly from: number
  readonly using: number
  /** ORDER BY or LIMIT, whichever comes first. */
  readonly order: number
  /** The last token of what chooses rows. */
  readonly last: number
}

function partsOf(source: Source, first: number): Parts {
  const found: Record<string, number> = {}
  let end = source.until
  for (let at = first; at < end; at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (word === ';' || word === 'RETURNING') end = at
    else if (/^(?:SET|FROM|USING|ORDER|LIMIT)$/.test(word) && source.word(at - 1) !== '.') found[word] ??= at
  }
  const {
    SET: set = end,
    FROM: from = end,
    USING: using = end,
    ORDER: order = end,
    LIMIT: limit = end,
  } = found
  return { set, from, using, order: Math.min(order, limit), last: end - 1 }
}

const isJoined = (source: Source, first: number, last: number): boolean => {
  for (let at = first; at <= last; at++) {
    if (source.word(at) === '(') at = Math.max(at, source.partner(at))
    else if (JOINS.has(source.word(at))) return true
  }
  return false
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

function withoutPriority(source: Source, edits: TokenEdits): number {
  let at = source.first + 1
  for (; PRIORITIES.has(source.word(at)); at++) edits.set(at, ' ')
  return at
}

/** name = value, of a SET: its tokens, and the table before the name of the column. */
interface Assignment {
  readonly first: number
  readonly column: number
  readonly last: number
  readonly of: string | null
}

function assignmentsIn(source: Source, first: number, last: number): readonly Assignment[] | null {
  const assignments: Assignment[] = []
  for (let at = first, begins = first; at <= last + 1; at++) {
    if (at <= last && source.word(at) === '(') at = Math.max(at, source.partner(at))
    if (at <= last && source.word(at) !== ',') continue
    const column = endOfName(source, begins)
    if (source.word(column + 1) !== '=' || column + 1 >= at - 1) return null
    const of = column > begins ? asName(source.written(column - 2, column - 2)) : null
    assignments.push({ first: begins, column, last: at - 1, of })
    begins = at + 1
  }
  return assignments
}

/**
 * UPDATE a JOIN b ON … SET a.x = b.y WHERE …, and UPDATE a SET … ORDER BY … LIMIT n. A query finds the rows and their new
 * values, where everything stands in the order in which it was written.
 */
export function noteUpdate(source: Source, edits: TokenEdits): void {
  const first = withoutPriority(source, edits)
  const { set, order, last } = partsOf(source, first)
  const joins = isJoined(source, first, set - 1)
  if (set > last || (!joins && order > last)) return
  const where = topLevelWhere(source, set, last)
  const assignments = assignmentsIn(source, set + 1, Math.min(where, order) - 1)
  if (!assignments) return
  const names = [...new Set(assignments.map(({ of }) => of?.toLowerCase()))]
  if (names.length > 1) return refuse(source, edits, 'An UPDATE changes one table. Send one for each.')
  const tables = tablesBetween(source, first, set - 1)
  const [of = null] = assignments.map((one) => one.of)
  const target = of === null ? tables[0] : tables.find(({ alias }) => isSame(alias, of))
  if (!target) return
  noteAssigned(source, { assignments, set, target, edits, isDistinct: joins })
  edits.enclose(last, last, {
    before: '',
    after: `) AS ${FOUND} WHERE ${target.alias}.${ROW} = ${FOUND}."0"`,
  })
}

interface Assigned {
  readonly assignments: readonly Assignment[]
  readonly set: number
  readonly target: NamedTable
  readonly edits: TokenEdits
  /** A row may be found more than once: it is changed once. */
  readonly isDistinct: boolean
}

function noteAssigned(source: Source, { assignments, set, target, edits, isDistinct }: Assigned): void {
  const { table, alias } = target
  const changes = assignments.map(
    ({ column }, at) => `${asName(source.written(column, column))} = ${FOUND}."${at + 1}"`,
  )
  edits.set(source.first, `UPDATE ${table} AS ${alias} SET ${changes.join(', ')} FROM (FROM`)
  edits.numbersRows(table)
  const row = `${alias}.${ROW}`
  edits.set(set, `SELECT ${isDistinct ? `DISTINCT ON (${row}) ` : ''}${row} AS "0",`)
  for (const [at, one] of assignments.entries()) {
    edits.replace(one.first, one.column + 1, '')
    edits.enclose(one.column + 2, one.last, { before: '', after: ` AS "${at + 1}"` })
  }
}

function topLevelWhere(source: Source, first: number, last: number): number {
  for (let at = first; at <= last; at++) {
    if (source.word(at) === '(') at = Math.max(at, source.partner(at))
    else if (source.word(at) === 'WHERE') return at
  }
  return last + 1
}

/** DELETE a FROM a JOIN b …, DELETE FROM a USING a JOIN b …, and DELETE FROM a … ORDER BY … LIMIT n. */
export function noteDelete(source: Source, edits: TokenEdits): void {
  const first = withoutPriority(source, edits)
  const parts = partsOf(source, first)
  const { from, using, order, last } = parts
  if (from > last) return
  if (from === first && using > last) {
    const target =
      order <= last
        ? tablesBetween(source, first + 1, Math.min(order, topLevelWhere(source, first, last)) - 1)[0]
        : undefined
    if (target) chooseRows(source, { target, edits, behind: source.first, last })
    return
  }
  const isUsing = from === first
  const [named, until] = isUsing ? [first + 1, using] : [first, from]
  const list = tokensWithoutStars(source, named, until - 1)
  if (list.includes(',')) return refuse(source, edits, 'A DELETE changes one table. Send one for each.')
  const end = endOfName(source, named)
  const alias = asName(source.written(lastPart(source, named, end), lastPart(source, named, end)))
  const tables = tablesBetween(source, until + 1, topLevelWhere(source, until, last) - 1)
  const target =
    tables.find((one) => isSame(one.alias, alias)) ??
    tables.find((one) => isSame(one.table, nameBetween(source, named, end)))
  // Without its own table behind USING, it is written in the words of the engine.
  if (!target) return
  edits.set(until, 'FROM')
  chooseRows(source, { target, edits, behind: until - 1, last })
}

/** DELETE a.* FROM … */
const lastPart = (source: Source, first: number, end: number): number =>
  end > first && source.word(end) === '*' ? end - 2 : end

function tokensWithoutStars(source: Source, first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => source.word(first + at)).filter(
    (word) => word !== '*',
  )
}

interface Chosen {
  readonly target: NamedTable
  readonly edits: TokenEdits
  /** The last token that is not a part of the query. */
  readonly behind: number
  readonly last: number
}

function chooseRows(source: Source, { target: { table, alias }, edits, behind, last }: Chosen): void {
  const row = `${alias}.${ROW}`
  edits.replace(source.first, behind, `DELETE FROM ${table} AS ${alias} WHERE ${row} IN (SELECT ${row}`)
  edits.numbersRows(table)
  edits.enclose(last, last, { before: '', after: ')' })
}
