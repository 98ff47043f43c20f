import { isSameName } from '@boathouse/contract/same-name'
import {
  acceptCompletion,
  autocompletion,
  completionStatus,
  selectedCompletionIndex,
  setSelectedCompletion,
} from '@codemirror/autocomplete'
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { Prec } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import type { EditorView } from '@codemirror/view'
import { quoteIdentifier, splitStatements } from '@boathouse/sql'
import { completionPlace } from './completion-context.ts'
import type { CompletionPlace, NamedTable } from './completion-context.ts'
import { KEYWORD_LIST } from '../../../statement/keywords.ts'
import { FUNCTIONS } from './sql-functions.ts'

export interface NamedThing {
  readonly name: string
  /** Said beside it, as the type of a column. */
  readonly detail: string
}

/** What there is to name. Each answers at once what it knows, and asks the service for the rest. */
export interface NameCache {
  /** The place of the tab. */
  place(): { readonly catalog: string; readonly database: string }
  catalogs(): Promise<readonly NamedThing[]>
  databases(catalog: string): Promise<readonly NamedThing[]>
  tables(catalog: string, database: string): Promise<readonly NamedThing[]>
  columns(catalog: string, database: string, table: string): Promise<readonly NamedThing[]>
}

/** More than anybody reads. */
const MOST_OFFERED = 100
/** Longer texts are read only around the cursor. */
const LONGEST_READ = 150_000
const PLAIN = /^[a-z_][a-z0-9_]*$/i
const RESERVED = new Set(KEYWORD_LIST)

const isSame = isSameName
const written = (name: string): string =>
  PLAIN.test(name) && !RESERVED.has(name.toLowerCase()) ? name : quoteIdentifier(name)

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

/** How a kind of name looks in the list, and how high it is. */
type Look = Readonly<Pick<Completion, 'type' | 'boost'>>
const CTE: Look = { type: 'type', boost: 4 }
const COLUMN: Look = { type: 'property', boost: 3 }
const TABLE: Look = { type: 'type', boost: 3 }
const ALIAS: Look = { type: 'variable', boost: 2 }
const DATABASE: Look = { type: 'namespace', boost: 2 }
const CATALOG: Look = { type: 'namespace', boost: 1 }

const offer = (names: readonly NamedThing[], word: string, look: Look): Completion[] =>
  matching(names, word).map(({ name, detail }) => ({
    label: name,
    apply: written(name),
    detail,
    ...look,
  }))

const named = (name: string): NamedThing => ({ name, detail: '' })

/** As the user writes: small or capital letters. */
const inCaseOf = (word: string, keyword: string): string =>
  word !== '' && word === word.toUpperCase() && /[A-Z]/.test(word) ? keyword.toUpperCase() : keyword

const words = (word: string): Completion[] =>
  word === ''
    ? []
    : [
        ...KEYWORD_LIST.filter((keyword) => keyword.startsWith(word.toLowerCase())).map((keyword) => ({
          label: inCaseOf(word, keyword),
          type: 'keyword',
          boost: 1,
        })),
        ...Object.entries(FUNCTIONS)
          .filter(([name]) => name.startsWith(word.toLowerCase()))
          .map(([name, detail]) => ({
            label: inCaseOf(word, name),
            detail,
            apply: detail.startsWith('(') ? `${inCaseOf(word, name)}(` : inCaseOf(word, name),
            type: 'function',
            boost: 0,
          })),
      ]

/** The catalog and the database that a path means for a tab with this place. */
function placeOf(names: NameCache, path: readonly string[]) {
  const own = names.place()
  const [first, second] = path
  if (second !== undefined) return { catalog: first ?? own.catalog, database: second }
  return { catalog: own.catalog, database: first ?? own.database }
}

async function columnsOf(names: NameCache, { path }: NamedTable): Promise<readonly NamedThing[]> {
  const { catalog, database } = placeOf(names, path.slice(0, -1))
  return names.columns(catalog, database, path.at(-1) ?? '')
}

async function afterDot(names: NameCache, place: CompletionPlace): Promise<Completion[]> {
  const { path, word } = place
  const table = path.length === 1 ? place.tables.find(({ alias }) => isSame(alias, path[0] ?? '')) : undefined
  if (table && place.wants !== 'table') return offer(await columnsOf(names, table), word, COLUMN)
  const { catalog, database } = placeOf(names, path)
  const found = await names.tables(catalog, database)
  if (found.length > 0) return offer(found, word, TABLE)
  const databases = path.length === 1 ? await names.databases(path[0] ?? '') : []
  return offer(databases, word, DATABASE)
}

async function forTables(names: NameCache, { word, ctes }: CompletionPlace): Promise<Completion[]> {
  const { catalog, database } = names.place()
  const [tables, databases, catalogs] = await Promise.all([
    database === '' ? [] : names.tables(catalog, database),
    names.databases(catalog),
    names.catalogs(),
  ])
  return [
    ...offer(ctes.map(named), word, CTE),
    ...offer(tables, word, TABLE),
    ...offer(databases, word, DATABASE),
    ...offer(catalogs, word, CATALOG),
  ]
}

async function forAnything(names: NameCache, place: CompletionPlace): Promise<Completion[]> {
  const { word, tables, ctes } = place
  const isTable = ({ path }: NamedTable) => !(path.length === 1 && ctes.includes(path[0] ?? ''))
  const columns = await Promise.all(tables.filter(isTable).map((table) => columnsOf(names, table)))
  return [
    ...offer(columns.flat(), word, COLUMN),
    ...offer(
      tables.map(({ alias }) => named(alias)),
      word,
      ALIAS,
    ),
    ...words(word),
  ]
}

/** The statement around the cursor, also an incomplete one. */
function statementAround(text: string, at: number): { text: string; start: number } {
  if (text.length > LONGEST_READ) {
    const start = Math.max(0, at - 5_000)
    return { text: text.slice(start, at + 5_000), start }
  }
  const before = splitStatements(text).findLast(({ end }) => end < at && text.slice(end, at).includes(';'))
  const start = before ? text.indexOf(';', before.end) + 1 : 0
  const next = splitStatements(text).find(({ start: begin, end }) => begin >= start && end >= at)
  return { text: text.slice(start, Math.max(at, next?.end ?? at)), start }
}

/** Names of the real catalog, columns of what the statement names, keywords and functions. */
const completionSource =
  (names: NameCache) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const statement = statementAround(context.state.doc.toString(), context.pos)
    const place = completionPlace(statement.text, statement.start, context.pos)
    if (place.wants === 'nothing') return null
    const isAsked = context.explicit || place.word !== '' || place.path.length > 0
    if (!isAsked && place.wants !== 'table') return null
    const options = await (place.path.length > 0
      ? afterDot(names, place)
      : place.wants === 'table'
        ? forTables(names, place)
        : forAnything(names, place))
    const isWhole = options.length === 1 && options[0]?.label === place.word
    if (context.aborted) return null
    if (options.length === 0 || (isWhole && !context.explicit)) return nothing(context, place.from)
    return { from: place.from, options: unique(options), filter: false }
  }

/**
 * Answered with null, CodeMirror asks no more until the next key, also when keys came while the names were loading. An
 * answer that no longer fits the text makes it ask again.
 */
const nothing = ({ state, view }: CompletionContext, from: number): CompletionResult | null =>
  view && view.state.doc !== state.doc ? { from, options: [] } : null

function unique(options: readonly Completion[]): Completion[] {
  const seen = new Set<string>()
  return options.filter(({ label, type }) => {
    const key = `${type} ${label}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

/** The one that is marked, else the first. */
function accept(view: EditorView): boolean {
  if (completionStatus(view.state) !== 'active') return false
  if (selectedCompletionIndex(view.state) === null) view.dispatch({ effects: setSelectedCompletion(0) })
  return acceptCompletion(view)
}

/** Tab takes what is offered. Enter is a new line, unless the arrows have chosen something: it never changes a word. */
export const sqlCompletion = (names: NameCache): Extension => [
  autocompletion({
    override: [completionSource(names)],
    icons: false,
    selectOnOpen: false,
    interactionDelay: 0,
  }),
  Prec.highest(keymap.of([{ key: 'Tab', run: accept }])),
]
