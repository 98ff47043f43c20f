import {
  findTopLevel,
  keywordAt,
  kindAt,
  offsetOf,
  type Piece,
  quoteString,
  readStatement,
  stringAt,
  textAt,
  TOKEN,
  unquoteIdentifier,
} from '@boathouse/sql'
import type { Written } from '../../engine/written.ts'
import { namesInformation } from '../guard/information-views.ts'
import { CATALOG } from '../guard/internal-schema.ts'
import { withJoinedNames, withoutOwnCatalog } from './joined-names.ts'
import { applied, type Change, change, endOf, LONGEST_CHANGED } from './text-changes.ts'

/** A text of a client of MySQL in a catalog, with what only such clients write in the words of others. */
export function asClientsMean(
  text: string,
  written: Written | undefined,
  catalog: string | null = null,
): string {
  const joined = withJoinedNames(text, written)
  const isInformed = namesInformation(joined)
  const local = isInformed && catalog !== null ? withoutOwnCatalog(joined, written, catalog) : joined
  return isInformed || HAS_OWN_NAME.test(local) ? asDriversMean(local, written) : local
}

/** A result of no rows that a driver makes of nothing, with a column by a name that DuckDB keeps for itself. */
const HAS_OWN_NAME = /^\s*select\s+\d+\s+scope\b/i

/**
 * Questions of drivers to `information_schema` in a form that DuckDB can bind. They are MySQL's as any other text is, but
 * for three things that these texts alone have: variables that one column sets and the next ones read, HAVING about what
 * the select list makes, and words that DuckDB keeps for itself. Each is recognized by its form, so that it does not matter
 * which driver, or which version of it, has sent the text.
 */
function asDriversMean(text: string, written: Pick<Written, 'quotes'> | undefined): string {
  const statement = readStatement(text, written?.quotes)
  if (text.length > LONGEST_CHANGED || keywordAt(statement, statement.first) !== 'SELECT') return text
  const items = selectItems(statement)
  const changes = [
    ...variableChanges(statement, items),
    ...wordChanges(statement),
    ...havingChanges(statement, items),
    ...groupChanges(statement),
  ]
  return applied(text, 0, changes) ?? text
}

const LONGEST_VALUE = 8 * 1024
/** DuckDB binds what stands in these more than once. A value with one of them is put in nowhere. */
const BOUND_TWICE = /\b(?:select|between|lambda|with)\b|->/i

/** One of what a SELECT gives, by its tokens. */
interface Item {
  readonly first: number
  /** Of its value, without its name. */
  readonly last: number
  /** In capitals. */
  readonly alias: string | null
}

/** More columns than this no driver asks for. */
const MOST_ITEMS = 100

function selectItems(statement: Piece): readonly Item[] {
  const from = findTopLevel(statement, statement.first, 'FROM')
  const list = { ...statement, until: from < 0 ? statement.until : from }
  const items: Item[] = []
  for (let first = list.first + 1; first < list.until && items.length < MOST_ITEMS;) {
    const comma = findTopLevel(list, first, ',')
    const until = comma < 0 ? list.until : comma
    items.push(itemIn(statement, first, until - 1))
    first = until + 1
  }
  return items
}

function itemIn(statement: Piece, first: number, last: number): Item {
  const isNamed = last - 2 >= first && keywordAt(statement, last - 1) === 'AS'
  const alias = isNamed ? unquoteIdentifier(textAt(statement, last)).toUpperCase() : null
  return { first, last: isNamed ? last - 2 : last, alias }
}

/** `@a := value` is the value; `@a` in a later column is what the column gives that set it. */
function variableChanges(statement: Piece, items: readonly Item[]): Change[] {
  if (!statement.text.includes(':=')) return []
  const values = new Map<string, string>()
  return items.flatMap((item) => {
    const changes: Change[] = []
    const sets: string[] = []
    for (let at = item.first; at <= item.last; at++) {
      if (keywordAt(statement, at) !== '@' || kindAt(statement, at + 1) !== TOKEN.word) continue
      const name = textAt(statement, at + 1).toLowerCase()
      const isSet = keywordAt(statement, at + 2) === ':='
      const value = values.get(name)
      if (isSet) sets.push(name)
      if (isSet || value !== undefined)
        changes.push(
          change(statement, { first: at, last: isSet ? at + 2 : at + 1 }, isSet ? '' : `(${value ?? ''})`),
        )
    }
    const start = offsetOf(statement, item.first)
    const value = applied(statement.text.slice(start, endOf(statement, item.last)), start, changes)
    const isShort = value !== null && value.length <= LONGEST_VALUE && !BOUND_TWICE.test(value)
    for (const name of sets) {
      if (isShort) values.set(name, value)
      else values.delete(name)
    }
    return changes
  })
}

/** Words that DuckDB takes for its own, where they are names. */
const OWN_NAMES = new Set(['TYPE', 'SCOPE'])

/** A database of the first catalog has no catalog before its name, also for a client that connected with it. */
const OF_FIRST = `${CATALOG}.`

function wordChanges(statement: Piece): Change[] {
  const changes: Change[] = []
  for (let at = statement.first; at < statement.until; at++) {
    const word = keywordAt(statement, at)
    const [before, behind] = [keywordAt(statement, at - 1), keywordAt(statement, at + 1)]
    const isColumn = word === 'COLLATION' && before !== '.' && behind !== '('
    const isAlias = OWN_NAMES.has(word) && kindAt(statement, at - 1) === TOKEN.number
    if (isColumn || isAlias) changes.push(change(statement, { first: at }, `"${word}"`))
    const text = kindAt(statement, at) === TOKEN.string ? stringAt(statement, at) : ''
    if (text.startsWith(OF_FIRST))
      changes.push(change(statement, { first: at }, quoteString(text.slice(OF_FIRST.length))))
  }
  return changes
}

/** Without groups it is one more condition on rows; a name in it is that of the select list first. */
function havingChanges(statement: Piece, items: readonly Item[]): Change[] {
  const having = findTopLevel(statement, statement.first, 'HAVING')
  if (having < 0 || findTopLevel(statement, statement.first, 'GROUP') >= 0) return []
  const order = findTopLevel(statement, having, 'ORDER')
  const end = order < 0 ? statement.until : order
  const where = findTopLevel(statement, statement.first, 'WHERE')
  const [behindWhere, behind] = [endOf(statement, where), endOf(statement, end - 1)]
  const changes =
    where < 0
      ? [change(statement, { first: having }, 'WHERE (')]
      : [{ start: behindWhere, end: behindWhere, by: ' (' }, change(statement, { first: having }, ') AND (')]
  for (let at = having + 1; at < end; at++) {
    const word = keywordAt(statement, at)
    const item = word === '' ? undefined : items.find(({ alias }) => alias === word)
    if (!item || keywordAt(statement, at - 1) === '.') continue
    const value = statement.text.slice(offsetOf(statement, item.first), endOf(statement, item.last))
    changes.push(change(statement, { first: at }, `(${value})`))
  }
  return [...changes, { start: behind, end: behind, by: ')' }]
}

/** For MySQL one column may say which rows are one, and others come along. */
function groupChanges(statement: Piece): Change[] {
  const group = findTopLevel(statement, statement.first, 'GROUP')
  if (group < 0 || findTopLevel(statement, group, 'HAVING') >= 0) return []
  const order = findTopLevel(statement, group, 'ORDER')
  const last = (order < 0 ? statement.until : order) - 1
  return [change(statement, { first: group, last }, 'GROUP BY ALL')]
}
