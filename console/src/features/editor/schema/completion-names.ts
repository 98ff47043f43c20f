import { foldedName } from '@boathouse/contract/same-name'
import { DEFAULT_CATALOG, DEFAULT_DATABASE, schema } from '@boathouse/contract/schema'
import { namesOf } from '@boathouse/contract/schema-objects'
import type { QueryClient } from '@tanstack/react-query'
import { callQuery } from '../../../lib/api.ts'
import type { Place } from '../tabs/place.ts'
import type { EditorStore } from '../tabs/editor-store.ts'
import type { FoundTable, NameCache, NamedThing } from '../text/name-cache.ts'
import { sameNames } from './same-names.ts'
import { BY_NAME, NAMES_ONLY } from './use-schema.ts'

/** Names are cached for a minute; a change of the catalogs invalidates them at once. */
const OPTIONS = { silent: true, staleTime: 60_000 }
const OPTIONS_OF_NAMES = { ...OPTIONS, structuralSharing: sameNames }
const MOST_FOUND = 20
const NOTHING: readonly NamedThing[] = []

const named = (name: string, kind?: NamedThing['kind']): NamedThing => ({
  name,
  detail: '',
  ...(kind && { kind }),
})

/** Names that cannot be loaded are not offered: the user can keep typing. */
const orNothing = <T>(found: Promise<readonly T[]>): Promise<readonly T[]> => found.catch(() => [])

/** The names of the catalogs as the tree knows them, for the completion. */
export function completionNames(queries: QueryClient, store: EditorStore): NameCache {
  const lists = new WeakMap<object, readonly NamedThing[]>()
  /** A list of 100,000 names is made once for each answer. */
  function once<T extends object>(answer: T, make: (answer: T) => readonly NamedThing[]) {
    const known = lists.get(answer) ?? make(answer)
    lists.set(answer, known)
    return known
  }

  async function catalogs() {
    const answer = await queries.fetchQuery(callQuery(schema.catalogs, BY_NAME, OPTIONS))
    return once(answer, ({ list }) => list.map(({ name }) => named(name)))
  }
  async function databases(catalog: string) {
    const answer = await queries.fetchQuery(callQuery(schema.databases, { ...BY_NAME, catalog }, OPTIONS))
    return once(answer, ({ list }) => list.map(({ name }) => named(name)))
  }
  async function tables(catalog: string, databaseName: string) {
    const inIt = { catalog, databaseName }
    const input = { ...NAMES_ONLY, ...inIt }
    const [tableList, viewList, materialized] = await Promise.all([
      queries.fetchQuery(callQuery(schema.tables, input, OPTIONS_OF_NAMES)),
      queries.fetchQuery(callQuery(schema.views, input, OPTIONS_OF_NAMES)),
      queries.fetchQuery(callQuery(schema.materializedViews, { ...BY_NAME, ...inIt }, OPTIONS)),
    ])
    return [
      ...once(tableList, ({ names = [] }) => names.map((name) => named(name))),
      ...once(viewList, ({ names = [] }) => names.map((name) => named(name, 'view'))),
      ...once(materialized, ({ list }) => list.map(({ mvName }) => named(mvName, 'materialized'))),
    ]
  }

  async function columns({ catalog, database }: Place, wanted: string) {
    const inIt = { catalog, databaseName: database }
    const input = { ...NAMES_ONLY, ...inIt }
    const [tableList, views, materialized] = await Promise.all([
      queries.fetchQuery(callQuery(schema.tables, input, OPTIONS_OF_NAMES)),
      queries.fetchQuery(callQuery(schema.views, input, OPTIONS_OF_NAMES)),
      queries.fetchQuery(callQuery(schema.materializedViews, { ...BY_NAME, ...inIt }, OPTIONS)),
    ])
    const sought = foldedName(wanted)
    // By their length most of a hundred thousand names are known to be others.
    const isWanted = (name: string) => name.length === wanted.length && foldedName(name) === sought
    const { names = [], total } = tableList
    const type = views.names?.some(isWanted)
      ? 'view'
      : materialized.list.some(({ mvName }) => isWanted(mvName))
        ? 'materialized_view'
        : 'table'
    // A name that is not complete would be requested, and refused, at every further key.
    if (type === 'table' && total <= names.length && !names.some(isWanted)) return NOTHING
    const answer = await queries.fetchQuery(
      callQuery(schema.columns, { catalog, databaseName: database, ...namesOf(type, wanted) }, OPTIONS),
    )
    return once(answer, (found) => found.columns.map(({ name, type }) => ({ name, detail: type })))
  }

  async function found(search: string): Promise<FoundTable[]> {
    const answer = await queries.fetchQuery(callQuery(schema.search, { search, limit: MOST_FOUND }, OPTIONS))
    return answer.list.flatMap(({ type, name, catalog, database }) => {
      if (database === undefined || type === 'catalog' || type === 'database' || type === 'column') return []
      const kind = type === 'view' ? 'view' : type === 'materialized_view' ? 'materialized' : undefined
      return [{ ...named(name, kind), catalog, database }]
    })
  }

  // Its calls come with the first word that is written.
  async function snippets() {
    const { snippetCalls } = await import('@boathouse/contract/editor-snippets')
    return (await queries.fetchQuery(callQuery(snippetCalls.snippets, {}, OPTIONS))).list
  }

  return {
    place: () => {
      const { activeTabId } = store.api.getState()
      const tab = activeTabId === null ? undefined : store.tab(activeTabId)
      return { catalog: tab?.catalog || DEFAULT_CATALOG, database: tab?.database || DEFAULT_DATABASE }
    },
    catalogs: () => orNothing(catalogs()),
    databases: (catalog) => orNothing(databases(catalog)),
    tables: (catalog, database) => orNothing(tables(catalog, database)),
    columns: (catalog, database, table) => orNothing(columns({ catalog, database }, table)),
    found: (word) => orNothing(found(word)),
    snippets: () => orNothing(snippets()),
  }
}
