import { unquoteIdentifier } from '@boathouse/sql'
import { type Group, isGroup, isName, keyOf, type Part } from './token-groups.ts'

/** A table, a view, or a name that WITH gives. */
interface NamedSource {
  readonly kind: 'name'
  /** Catalog, database and table, as far as they are written. */
  readonly path: readonly string[]
  readonly alias: string
  /** Names that the alias gives to its columns. */
  readonly columns: readonly string[]
}

interface QuerySource {
  readonly kind: 'query'
  readonly query: Group
  readonly alias: string
  readonly columns: readonly string[]
}

/** What a query reads from. */
export type Source = NamedSource | QuerySource

export interface Cte {
  readonly name: string
  /** As they are written behind the name; empty: those of the query. */
  readonly columns: readonly string[]
  readonly query: Group
}

export type Clause =
  | 'start'
  | 'with'
  | 'select'
  | 'from'
  | 'on'
  | 'where'
  | 'group'
  | 'having'
  | 'order'
  | 'limit'
  | 'insert'
  | 'set'
  | 'values'
  | 'other'

/** One SELECT, or one other statement, at its own level of parentheses. */
export interface Block {
  /** Where it begins in the text. */
  readonly start: number
  readonly parts: readonly Part[]
  readonly sources: readonly Source[]
  readonly ctes: readonly Cte[]
  readonly isRecursive: boolean
}

const CLAUSES: Readonly<Record<string, Clause>> = {
  with: 'with',
  select: 'select',
  from: 'from',
  join: 'from',
  using: 'from',
  on: 'on',
  where: 'where',
  qualify: 'where',
  group: 'group',
  having: 'having',
  order: 'order',
  limit: 'limit',
  offset: 'limit',
  insert: 'insert',
  into: 'insert',
  update: 'from',
  set: 'set',
  values: 'values',
  returning: 'select',
}
const SET_WORDS = new Set(['union', 'intersect', 'except', ';'])
/** A table follows; behind the others only at the beginning of a statement. */
const TABLE_WORDS = new Set(['from', 'join', 'into', 'table', 'view'])
const FIRST_TABLE_WORDS = new Set(['update', 'describe', 'desc', 'truncate', 'summarize', 'pivot', 'unpivot'])
export const asksForTable = (parts: readonly (Part | undefined)[], at: number): boolean =>
  TABLE_WORDS.has(keyOf(parts[at])) || (at === 0 && FIRST_TABLE_WORDS.has(keyOf(parts[at])))
/** Words that follow a table and are no alias of it. */
const NO_ALIAS = new Set(
  'as asof cross full group having inner join left limit natural on order positional qualify right semi anti set union using values where window intersect except select offset sample tablesample returning default from with outer for at pivot unpivot lateral'.split(
    ' ',
  ),
)

/** The clause that the last of these parts is in. */
export function clauseOf(parts: readonly Part[]): Clause {
  for (let at = parts.length - 1; at >= 0; at--) {
    const clause = CLAUSES[keyOf(parts[at])]
    if (clause !== undefined) return clause
  }
  return parts.length === 0 ? 'start' : 'other'
}

const namesIn = (group: Group): string[] =>
  group.parts.filter(isName).map(({ text }) => unquoteIdentifier(text))

/** A name, or several with dots between them, and the index behind them. */
function pathAt(parts: readonly Part[], first: number): { path: string[]; next: number } {
  const path: string[] = []
  let at = first
  for (let part = parts[at]; isName(part); part = parts[at]) {
    path.push(unquoteIdentifier(part.text))
    if (keyOf(parts[at + 1]) !== '.') return { path, next: at + 1 }
    at += 2
  }
  return { path, next: at }
}

/** `as x`, `x` or `x (a, b)`, and the index behind it. */
function aliasAt(parts: readonly Part[], first: number): { alias: string; columns: string[]; next: number } {
  const isWritten = keyOf(parts[first]) === 'as'
  const at = isWritten ? first + 1 : first
  const part = parts[at]
  if (!isName(part) || (!isWritten && NO_ALIAS.has(part.key))) return { alias: '', columns: [], next: first }
  const list = parts[at + 1]
  return {
    alias: unquoteIdentifier(part.text),
    columns: isGroup(list) ? namesIn(list) : [],
    next: isGroup(list) ? at + 2 : at + 1,
  }
}

const QUERY_WORDS = new Set(['select', 'with', 'from', 'values', 'pivot', 'unpivot', 'table'])
const isQuery = ({ parts }: Group): boolean =>
  QUERY_WORDS.has(keyOf(parts[0])) || (isGroup(parts[0]) && isQuery(parts[0]))

/** The tables of a list that begins here; `(a join b)` is one too. */
function sourcesAt(parts: readonly Part[], first: number): { sources: Source[]; next: number } {
  let at = first
  while (['only', 'lateral', 'if', 'exists', 'not'].includes(keyOf(parts[at]))) at++
  const part = parts[at]
  if (isGroup(part)) {
    if (!isQuery(part)) return { sources: allSources([undefined, ...part.parts], true), next: at + 1 }
    const { next, ...named } = aliasAt(parts, at + 1)
    return { sources: [{ kind: 'query', query: part, ...named }], next }
  }
  const { path, next } = pathAt(parts, at)
  const last = path.at(-1)
  const isWord = path.length === 1 && isName(part) && NO_ALIAS.has(part.key)
  if (last === undefined || isWord) return { sources: [], next: Math.max(next, at) }
  // What a function returns is not known here.
  const isFunction = isGroup(parts[next]) && !isInsert(parts, first)
  const named = aliasAt(parts, isFunction ? next + 1 : next)
  if (isFunction && named.alias === '') return { sources: [], next: named.next }
  const alias = named.alias || last
  return {
    sources: [{ kind: 'name', path: isFunction ? [] : path, alias, columns: named.columns }],
    next: named.next,
  }
}

const isInsert = (parts: readonly Part[], first: number): boolean =>
  ['into', 'table', 'view'].includes(keyOf(parts[first - 1]))

/** Of one level. A comma continues the list behind FROM. */
function allSources(parts: readonly (Part | undefined)[], isList = false): Source[] {
  const known = parts as readonly Part[]
  const found: Source[] = []
  let isInList = isList
  for (let at = 0; at < known.length;) {
    const key = keyOf(known[at])
    const isBegin = (at === 0 && isList) || asksForTable(known, at) || (isInList && key === ',')
    if (isBegin) {
      const { sources, next } = sourcesAt(known, at + 1)
      found.push(...sources)
      isInList = true
      at = Math.max(next, at + 1)
      continue
    }
    if (CLAUSES[key] !== undefined && CLAUSES[key] !== 'from') isInList = false
    at++
  }
  return found
}

function ctesIn(parts: readonly Part[]): Cte[] {
  const found: Cte[] = []
  if (keyOf(parts[0]) !== 'with') return found
  let at = keyOf(parts[1]) === 'recursive' ? 2 : 1
  while (at < parts.length) {
    const name = parts[at]
    if (!isName(name)) return found
    const list = parts[at + 1]
    let next = isGroup(list) ? at + 2 : at + 1
    while (['as', 'not', 'materialized'].includes(keyOf(parts[next]))) next++
    const query = parts[next]
    if (!isGroup(query)) return found
    found.push({ name: unquoteIdentifier(name.text), columns: isGroup(list) ? namesIn(list) : [], query })
    if (keyOf(parts[next + 1]) !== ',') return found
    at = next + 2
  }
  return found
}

/** The queries of a level, which UNION and the like join. What WITH gives is known in each. */
export function blocksOf({ parts, start }: Group): Block[] {
  const ctes = ctesIn(parts)
  const isRecursive = keyOf(parts[1]) === 'recursive'
  const cuts = parts.flatMap((part, at) => (SET_WORDS.has(keyOf(part)) ? [at] : []))
  return [-1, ...cuts].map((cut, index) => {
    const own = parts.slice(cut + 1, cuts[index] ?? parts.length)
    const begin = cut === -1 ? start : (parts[cut]?.end ?? start)
    return { start: begin, parts: own, sources: allSources(own), ctes, isRecursive }
  })
}

/** A column that a query returns, by its name; `*` with the name of a source, or with none for all. */
export type Returned =
  | { readonly kind: 'column'; readonly name: string; readonly of: string | null }
  | { readonly kind: 'all'; readonly of: string | null }

function returnedBy(item: readonly Part[]): Returned[] {
  const last = item.at(-1)
  const before = item.at(-2)
  const star = item.findIndex((part) => keyOf(part) === '*')
  const isStar = star === 0 || (star === 2 && keyOf(item[1]) === '.')
  if (isStar) {
    const table = item[0]
    return [{ kind: 'all', of: star === 2 && isName(table) ? unquoteIdentifier(table.text) : null }]
  }
  if (!isName(last)) return []
  const name = unquoteIdentifier(last.text)
  if (keyOf(before) === '.') {
    const table = item.length === 3 ? item[0] : undefined
    return [{ kind: 'column', name, of: isName(table) ? unquoteIdentifier(table.text) : null }]
  }
  // `a + b` has no name of its own, `f(x) y` and `a as b` have one.
  const isOwnName = before === undefined || keyOf(before) === 'as' || isGroup(before) || isName(before)
  return isOwnName && last.key !== 'end' ? [{ kind: 'column', name, of: before ? '' : null }] : []
}

/** What the first query of a level returns, as far as its list says. */
export function returnedOf(block: Block): Returned[] {
  const begin = block.parts.findIndex((part) => keyOf(part) === 'select')
  if (begin === -1) return [{ kind: 'all', of: null }]
  const rest = block.parts.slice(begin + 1)
  const end = rest.findIndex((part) => CLAUSES[keyOf(part)] !== undefined)
  const list = end === -1 ? rest : rest.slice(0, end)
  const items: Part[][] = [[]]
  for (const part of list)
    if (keyOf(part) === ',') items.push([])
    else if (!(items.length === 1 && ['distinct', 'all'].includes(keyOf(part)))) items.at(-1)?.push(part)
  return items.flatMap(returnedBy)
}
