import type { Clock } from '../../kernel/clock.ts'
import { isOfTable } from '../../kernel/iceberg.ts'
import { OutsideRefused, type OutsideTable, tableInKey } from '../../kernel/outside.ts'
import type { OutsideRequests } from '../bucket/outside-requests.ts'
import type { IcebergCatalog, IcebergCatalogs, IcebergPlace } from './iceberg-catalog.ts'
import { Memory } from './memory.ts'
import {
  AT_ONCE,
  type Names,
  namespacePath,
  orderOf,
  readNames,
  someAtOnce,
  type TableName,
} from './names.ts'
import { NotAccepted } from './refusals.ts'
import { createRestClient, LONGEST_ANSWER } from './rest-client.ts'
import { createLoadedTables, keyOf, type LoadedTable } from './loaded-tables.ts'
import { createReadTable } from './read-table.ts'
import { askMetadata } from './relayed-metadata.ts'

/** Within this time, callers get the cached answer. */
const FRESH_MS = 5_000

const TABLES_AT_ONCE = 50
/** The maximum of a page of tables. */
const LONGEST_PAGE = 2 * 1024 * 1024

const missing = (): OutsideRefused => new OutsideRefused('missing', 'the catalog has no such file')

interface CatalogParts {
  readonly requests: OutsideRequests
  readonly clock: Clock
  readonly memory: Memory
}

function openCatalog(place: IcebergPlace, { requests, clock, memory }: CatalogParts): IcebergCatalog {
  const client = createRestClient(place, { requests, clock })
  let listed: { readonly at: number; readonly names: Names } | null = null
  const now = () => clock.now().getTime()
  const { forget, remember, broken, knownOf, keys } = createLoadedTables(memory, now)
  const read = createReadTable(place, { now, broken })

  async function namesNow(stop: AbortSignal, isGoodFor = FRESH_MS): Promise<Names> {
    if (listed) memory.use(listed)
    if (listed && now() - listed.at < isGoodFor) return listed.names
    return memory.during(AT_ONCE * LONGEST_ANSWER, stop, async () => {
      const names = await readNames(client, stop)
      const found = { at: now(), names }
      if (listed) memory.release(listed)
      listed = found
      memory.keep(found, JSON.stringify(names).length, () => (listed = listed === found ? null : listed))
      const left = new Set(names.tables.map(keyOf))
      for (const key of keys()) if (!left.has(key)) forget(key)
      return names
    })
  }

  async function load(wanted: TableName, stop: AbortSignal): Promise<LoadedTable> {
    const { namespace, name } = wanted
    const path = `${namespacePath(namespace, await client.separator(stop))}/tables/${encodeURIComponent(name)}`
    const headers: Record<string, string> = place.keys
      ? {}
      : { 'x-iceberg-access-delegation': 'vended-credentials' }
    try {
      return await memory.during(LONGEST_ANSWER, stop, async () =>
        remember(
          keyOf(wanted),
          read(await client.get({ path, query: { snapshots: 'refs' }, headers }, stop)),
        ),
      )
    } catch (error) {
      const isOfAll =
        !(error instanceof OutsideRefused) || error instanceof NotAccepted || error.reason === 'unreachable'
      if (isOfAll) throw error
      return { ...broken(error.message), keysUntil: 0 }
    }
  }

  async function tableNow(table: TableName, stop: AbortSignal): Promise<OutsideTable> {
    const known = knownOf(keyOf(table))
    const { content } = known && now() - known.at < FRESH_MS ? known : await load(table, stop)
    return { database: table.database, name: table.name, content }
  }

  return {
    metadata: (asked, keys, stop) =>
      memory.during(LONGEST_ANSWER, stop, () => askMetadata({ client, place, keys }, asked, stop)),

    async tables(after, stop) {
      // In the middle of a walk through pages the list is the one that it began with.
      const { databases, tables, ignored } = await namesNow(stop, after === null ? FRESH_MS : 4 * FRESH_MS)
      const rest = after === null ? tables : tables.filter((table) => orderOf(table) > after)
      const page: OutsideTable[] = []
      let { length } = JSON.stringify([databases, ignored])
      const isFull = () => page.length > 0 && length > LONGEST_PAGE
      for (let begin = 0; begin < rest.length && page.length < TABLES_AT_ONCE && !isFull();) {
        const some = await someAtOnce(rest.slice(begin, begin + 8), (table) => tableNow(table, stop))
        for (const table of some) {
          if (isFull()) break
          page.push(table)
          length += JSON.stringify(table).length
        }
        begin += some.length
      }
      const last = page.at(-1)
      const next = last && page.length < rest.length ? orderOf(last) : null
      return { databases, tables: page, ignored, next }
    },

    async fileOf(key, stop) {
      const wanted = tableInKey(key)
      if (!wanted) throw missing()
      const inCatalog = keyOf(wanted)
      const known = knownOf(inCatalog)
      let table = known
      if (!known || now() > known.keysUntil) {
        const { tables } = await namesNow(stop, Number.POSITIVE_INFINITY)
        const name = tables.find((one) => keyOf(one) === inCatalog)
        if (!name) throw missing()
        table = await load(name, stop)
      }
      if (!table || typeof table.content === 'string' || !table.place)
        throw new OutsideRefused(
          'refused',
          typeof table?.content === 'string' ? table.content : 'it is not there',
        )
      if (!isOfTable(table.content, wanted.path)) throw missing()
      return { place: table.place, key: wanted.path }
    },
  }
}

/** Catalogs of servers that speak Iceberg REST. They are only read. */
export const createRestCatalogs = ({
  memory = new Memory(),
  ...parts
}: Omit<CatalogParts, 'memory'> & Partial<Pick<CatalogParts, 'memory'>>): IcebergCatalogs => ({
  open: (place) => openCatalog(place, { ...parts, memory }),
})
