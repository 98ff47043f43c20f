import { quoteString } from '@boathouse/sql'
import type { NamePage, NamesFound, Seen } from '../../engine/names.ts'
import type { ResultRows } from '../../engine/rows.ts'
import { foldedText } from '../folded-text.ts'

/** DuckDB's own, and what the service keeps beside the account's data. */
const HIDDEN = ['pg_catalog', 'boathouse_internal']

/** Any text that names the service's own is refused, so the name is put together by DuckDB. */
const inHalves = (name: string): string => `${quoteString(name.slice(0, 5))} || ${quoteString(name.slice(5))}`

/** As a list of values. */
export const HIDDEN_DATABASES = HIDDEN.map(inHalves).join(', ')

/** In one column `name`, as what they are taken from. */
export function among(names: string, seen: Seen): string {
  if (seen === 'all') return names
  const listed = seen.size === 0 ? 'NULL' : [...seen].map(quoteString).join(', ')
  return `SELECT name FROM (${names}) AS names WHERE ${foldedText('name')} IN (${listed})`
}

function without(names: string, except: ReadonlySet<string>): string {
  if (except.size === 0) return names
  return `SELECT name FROM (${names}) AS names WHERE ${foldedText('name')} NOT IN (${[...except].map(quoteString).join(', ')})`
}

function containing(names: string, search: string): string {
  if (search === '') return names
  return `SELECT name FROM (${names}) AS names WHERE contains(lower(name), lower(${quoteString(search)}))`
}

/** How many there are in all, even where no name is, and a name. `more`: further columns of a name, as an expression. */
export function pageOf(names: string, page: NamePage, more = ''): string {
  const { descending, offset, limit, seen, search, except = new Set() } = page
  const direction = descending ? 'DESC' : 'ASC'
  return `WITH found AS MATERIALIZED (${containing(without(among(names, seen), except), search)}),
   page AS (SELECT name FROM found ORDER BY name ${direction} LIMIT ${limit} OFFSET ${offset})
   SELECT (SELECT count(*) FROM found), page.name${more}
   FROM (SELECT 1) AS one LEFT JOIN page ON true ORDER BY page.name ${direction}`
}

/** What such a page gives. */
export function namesOfPage({ rows }: ResultRows): NamesFound {
  const list = rows.flatMap(([, name, tables]) =>
    name == null ? [] : [tables == null ? { name } : { name, tables: Number(tables) }],
  )
  return { total: Number(rows[0]?.[0] ?? 0), list }
}
