import type { LineageLink, ObjectRef, Output, lineage } from '@boathouse/contract'
import { namedTables, readStatement } from '@boathouse/sql'
import type { Actor } from '../../kernel/actor.ts'
import type { PlacedObject } from '../schema/objects/existing.ts'
import type { LinkedTable, ReadingStore, Whose } from './reading-store.ts'
import { isSameTable, type TablePlace } from './table-key-store.ts'

/** A saved query whose text contains the name. */
interface NamingQuery {
  readonly tabId: string
  readonly name: string
  readonly sql: string
  readonly catalog: string
  readonly database: string
}

interface PipeInto {
  readonly pipeId: string
  readonly name: string
  readonly catalog: string
  readonly database: string
  readonly table: TablePlace
}

export interface GraphParts {
  readonly store: Pick<ReadingStore, 'linked' | 'loads'>
  readonly existing: (actor: Actor, places: readonly TablePlace[]) => Promise<PlacedObject[]>
  /** Of the requester's own, without those that are very long. */
  readonly queriesNaming: (actor: Actor, name: string) => Promise<readonly NamingQuery[]>
  /** Those that the requester may see. */
  readonly pipes: (actor: Actor) => Promise<readonly PipeInto[]>
}

type Graph = Output<typeof lineage.graph>

const MOST_LOADS = 5

const definedLink = (catalog: string, { type, database, name }: ObjectRef): LineageLink => ({
  kind: type,
  name,
  catalog,
  database,
  id: '',
  through: null,
})

/** Whether a saved query reads or writes it; null: it only contains the word. */
function useIn({ sql, catalog, database }: NamingQuery, table: TablePlace): 'reads' | 'writes' | null {
  const named = namedTables(readStatement(sql)).filter(({ parts }) => {
    const [name = '', inDatabase = database, inCatalog = catalog] = parts.toReversed()
    return isSameTable({ catalog: inCatalog, database: inDatabase, name }, table)
  })
  if (named.length === 0) return null
  return named.some(({ writes }) => writes) ? 'writes' : 'reads'
}

interface Defined {
  readonly uses: readonly ObjectRef[]
  readonly usedBy: readonly ObjectRef[]
  readonly hidden: number
  readonly broken: string
}

const distinct = (links: readonly LineageLink[]): LineageLink[] => {
  const byKey = new Map<string, LineageLink>()
  for (const link of links) {
    const key = JSON.stringify([link.kind, link.catalog, link.database, link.name, link.id])
    if (!byKey.has(key)) byKey.set(key, link)
  }
  return [...byKey.values()]
}

/** Of which table, and whose statements count. */
export interface AskedGraph {
  readonly table: TablePlace
  readonly whose: Whose
  readonly defined: Defined
}

/** What feeds a table and what it feeds: by definitions, by statements that ran, and by what is saved. */
export function createGraph({ store, existing, queriesNaming, pipes }: GraphParts) {
  /** Once for each table, with the last statement. */
  async function linksOf(actor: Actor, linked: readonly LinkedTable[]): Promise<LineageLink[]> {
    const found = await existing(actor, linked)
    return found.flatMap(({ type: kind, catalog, database, name }) => {
      const last = linked.find((one) => isSameTable(one, { catalog, database, name }))
      if (!last) return []
      const through = { queryId: last.queryId, user: last.user, at: last.at.toISOString() }
      return [{ kind, name, catalog, database, id: '', through }]
    })
  }

  async function loadLinks(whose: Whose, table: TablePlace): Promise<LineageLink[]> {
    const loads = await store.loads(whose, table, MOST_LOADS)
    return loads.map(({ id, file, user, at, queryId }) => ({
      kind: 'load',
      name: file,
      catalog: '',
      database: '',
      id,
      through: { queryId: queryId ?? '', user, at: at.toISOString() },
    }))
  }

  const pipeLinks = async (actor: Actor, table: TablePlace): Promise<LineageLink[]> =>
    (await pipes(actor))
      .filter((pipe) => isSameTable(pipe.table, table))
      .map(({ pipeId: id, name, catalog, database }) => ({
        kind: 'pipe',
        name,
        catalog,
        database,
        id,
        through: null,
      }))

  async function queryLinks(actor: Actor, table: TablePlace) {
    const queries = await queriesNaming(actor, table.name)
    const used = queries.map((query) => ({ query, use: useIn(query, table) }))
    const of = (wanted: 'reads' | 'writes'): LineageLink[] =>
      used
        .filter(({ use }) => use === wanted)
        .map(({ query }) => ({
          kind: 'query',
          name: query.name,
          catalog: '',
          database: '',
          id: query.tabId,
          through: null,
        }))
    return { reading: of('reads'), writing: of('writes') }
  }

  return async function graph(actor: Actor, { table, whose, defined }: AskedGraph): Promise<Graph> {
    const [fed, feeds, loads, piped, queries] = await Promise.all([
      store.linked(whose, table, { mine: true, theirs: false }).then((linked) => linksOf(actor, linked)),
      store.linked(whose, table, { mine: false, theirs: true }).then((linked) => linksOf(actor, linked)),
      loadLinks(whose, table),
      pipeLinks(actor, table),
      queryLinks(actor, table),
    ])
    const { uses, usedBy, hidden, broken } = defined
    const link = (ref: ObjectRef) => definedLink(table.catalog, ref)
    return {
      from: distinct([...uses.map(link), ...piped, ...loads, ...fed, ...queries.writing]),
      to: distinct([...usedBy.map(link), ...feeds, ...queries.reading]),
      hidden,
      broken,
    }
  }
}
