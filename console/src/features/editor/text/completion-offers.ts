import { isSameName } from '@boathouse/contract/same-name'
import { backquoteIdentifier, quoteIdentifier } from '@boathouse/sql'
import type { Completion } from '@codemirror/autocomplete'
import { t } from '../../../i18n/texts.ts'
import { KEYWORD_LIST } from '../../../statement/keywords.ts'
import type { CompletionPlace } from './completion-context.ts'
import { keywordsFor, otherKeywords } from './keywords-by-place.ts'
import { type NameCache, type NamedThing, placeOf } from './name-cache.ts'
import { createSourceColumns } from './source-columns.ts'
import { FUNCTIONS } from './sql-functions.ts'

/** More than anybody reads. */
const MOST_OFFERED = 100
/** Fewer letters are in too many names of all databases. */
const LEAST_SOUGHT = 2
const PLAIN = /^[a-z_][a-z0-9_]*$/i
const RESERVED = new Set(KEYWORD_LIST)

/** Quoted where it has to be, or as the user began it; never twice. */
function written(name: string, quote: string): string {
  if (quote === '`') return backquoteIdentifier(name)
  const isPlain = quote === '' && PLAIN.test(name) && !RESERVED.has(name.toLowerCase())
  return isPlain ? name : quoteIdentifier(name)
}

/** Names that begin with the word, then names that contain it. Reads each name once, so that 100,000 take milliseconds. */
function matching(names: readonly NamedThing[], word: string): NamedThing[] {
  const sought = word.toLowerCase()
  const first: NamedThing[] = []
  const others: NamedThing[] = []
  for (const named of names) {
    const at = named.name.toLowerCase().indexOf(sought)
    if (at === 0) first.push(named)
    else if (at > 0 && others.length < MOST_OFFERED) others.push(named)
    if (first.length >= MOST_OFFERED) break
  }
  return [...first, ...others].slice(0, MOST_OFFERED)
}

type Kind = 'alias' | 'catalog' | 'column' | 'cte' | 'database' | 'table'

const offer = (names: readonly NamedThing[], { word, quote }: CompletionPlace, type: Kind): Completion[] =>
  matching(names, word).map(({ name, detail, kind }) => ({
    label: name,
    apply: written(name, quote),
    detail,
    type: kind ?? type,
  }))

const named = (name: string): NamedThing => ({ name, detail: '' })

/** As the user writes: small or capital letters. */
const inCaseOf = (word: string, keyword: string): string =>
  word !== '' && word === word.toUpperCase() && /[A-Z]/.test(word) ? keyword.toUpperCase() : keyword

const keywords = (list: readonly string[], word: string): Completion[] =>
  list
    .filter((keyword) => keyword.startsWith(word.toLowerCase()))
    .map((keyword) => ({ label: inCaseOf(word, keyword), type: 'keyword' }))

const functions = (word: string): Completion[] =>
  (Object.keys(FUNCTIONS) as (keyof typeof FUNCTIONS)[])
    .filter((name) => name.startsWith(word.toLowerCase()))
    .map((name) => {
      const detail = FUNCTIONS[name]
      const label = inCaseOf(word, name)
      return {
        label,
        detail,
        apply: detail.startsWith('(') ? `${label}(` : label,
        type: 'function',
        info: t(`writing.functions.${name}`),
      }
    })

/** Keywords of the place and functions; the other keywords only for letters that were typed. */
function words({ word, quote, clause, beginsValue }: CompletionPlace): Completion[] {
  if (quote !== '') return []
  const fitting = keywordsFor(clause, beginsValue)
  if (word === '') return keywords(fitting, word)
  return [...keywords(fitting, word), ...functions(word), ...keywords(otherKeywords(fitting), word)]
}

async function afterDot(names: NameCache, place: CompletionPlace): Promise<Completion[]> {
  const { path, scopes, wants } = place
  if (path.length === 1 && wants !== 'table') {
    const sources = await createSourceColumns(names).inScopes(scopes)
    const source = sources.find(({ alias }) => isSameName(alias, path[0] ?? ''))
    if (source) return offer(source.columns, place, 'column')
  }
  const { catalog, database } = placeOf(names, path)
  const found = await names.tables(catalog, database)
  if (found.length > 0) return offer(found, place, 'table')
  const databases = path.length === 1 ? await names.databases(path[0] ?? '') : []
  return offer(databases, place, 'database')
}

/** Tables of other databases, with what has to be before their names. */
async function elsewhere(names: NameCache, { word, quote }: CompletionPlace): Promise<Completion[]> {
  if (word.length < LEAST_SOUGHT || quote !== '') return []
  const own = names.place()
  const found = await names.found(word)
  return found
    .filter(({ catalog, database }) => catalog !== own.catalog || database !== own.database)
    .map(({ catalog, database, name, kind }) => {
      const path = [...(catalog === own.catalog ? [] : [catalog]), database, name]
      return {
        label: path.join('.'),
        apply: path.map((part) => written(part, '')).join('.'),
        type: kind ?? 'table',
      }
    })
}

async function forTables(names: NameCache, place: CompletionPlace): Promise<Completion[]> {
  const { catalog, database } = names.place()
  const [tables, databases, catalogs, others] = await Promise.all([
    database === '' ? [] : names.tables(catalog, database),
    names.databases(catalog),
    names.catalogs(),
    elsewhere(names, place),
  ])
  const ctes = place.scopes.flatMap((scope) => scope.ctes.map(({ name }) => named(name)))
  return [
    ...offer(ctes, place, 'cte'),
    ...offer(tables, place, 'table'),
    ...offer(databases, place, 'database'),
    ...others,
    ...offer(catalogs, place, 'catalog'),
  ]
}

/** Behind USING: what at least two of the tables have. */
async function common(names: NameCache, place: CompletionPlace): Promise<Completion[]> {
  const sources = await createSourceColumns(names).inScopes(place.scopes)
  const all = sources.flatMap(({ columns }) => columns)
  const shared = all.filter(({ name }, at) =>
    all.some((other, otherAt) => otherAt < at && isSameName(other.name, name)),
  )
  return offer(shared, place, 'column')
}

async function forAnything(names: NameCache, place: CompletionPlace): Promise<Completion[]> {
  const sources = await createSourceColumns(names).inScopes(place.scopes)
  const columns = offer(
    sources.flatMap((source) => source.columns),
    place,
    'column',
  )
  const aliases = offer(
    sources.map(({ alias }) => named(alias)),
    place,
    'alias',
  )
  const others = words(place)
  const isValue = place.beginsValue || place.clause === 'insert'
  if (isValue) return [...columns, ...aliases, ...others]
  // Behind a value stands a word; a name can only be meant once some of it is written.
  return place.word === '' ? others : [...others, ...columns, ...aliases]
}

function unique(options: readonly Completion[]): Completion[] {
  const seen = new Set<string>()
  return options.filter(({ label, type }) => {
    const key = `${type} ${label}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/** Names of the real catalog, columns of what the statement names, keywords, functions and the user's snippets. */
export async function offersAt(names: NameCache, place: CompletionPlace): Promise<Completion[]> {
  if (place.path.length > 0) return unique(await afterDot(names, place))
  if (place.wants === 'common') return unique(await common(names, place))
  const [offered, own] = await Promise.all([
    place.wants === 'table' ? forTables(names, place) : forAnything(names, place),
    place.quote === '' ? names.snippets() : [],
  ])
  if (own.length === 0) return unique(offered)
  const { snippetOffers } = await import('./snippet-offers.ts')
  const { first, last } = snippetOffers(own, place.word)
  return unique([...first, ...offered, ...last])
}
