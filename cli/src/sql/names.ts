import type { Api, Place } from '@boathouse/client/public/index'

const KEPT_MS = 30_000
/** More than anybody looks through. */
const MOST_NAMES = 5_000

/** Names of catalogs, databases, tables and columns, asked once in a while. What cannot be had is left out. */
export function createNames(api: Api, place: () => Place) {
  const kept = new Map<string, { readonly at: number; readonly names: Promise<string[]> }>()

  function once(key: string, ask: () => Promise<string[]>): Promise<string[]> {
    const found = kept.get(key)
    if (found && performance.now() - found.at < KEPT_MS) return found.names
    // A list that is not available must not keep the others from being offered.
    const names = ask().catch(() => [])
    kept.set(key, { at: performance.now(), names })
    return names
  }

  const page = { commonSearchParam: { limit: MOST_NAMES } }

  const catalogs = () =>
    once('catalogs', async () => (await api.schema.catalogs(page)).list.map(({ name }) => name))

  const databases = (catalog = place().catalog) =>
    once(`databases ${catalog}`, async () =>
      (await api.schema.databases({ ...page, catalog })).list.map(({ name }) => name),
    )

  const tables = (databaseName = place().database, catalog = place().catalog) =>
    once(`tables ${catalog} ${databaseName}`, async () => {
      const asked = { ...page, catalog, databaseName, namesOnly: true }
      const lists = await Promise.all([
        api.schema.tables(asked).then(({ names = [] }) => names),
        api.schema.views(asked).then(({ names = [] }) => names),
      ])
      return lists.flat()
    })

  const columns = (table: string, databaseName = place().database, catalog = place().catalog) =>
    once(`columns ${catalog} ${databaseName} ${table}`, async () => {
      const of = { catalog, databaseName }
      const found = await api.schema
        .columns({ ...of, tableName: table })
        .catch(() => api.schema.columns({ ...of, name: table }))
      return found.columns.map(({ name }) => name)
    })

  return { catalogs, databases, tables, columns, forget: () => kept.clear() }
}

export type Names = ReturnType<typeof createNames>
