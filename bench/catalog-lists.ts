import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callAs } from '@boathouse/client'
import { schema } from '@boathouse/contract'
import { atMost, type Measured } from './figures.ts'
import { openInProcess } from './in-process.ts'
import { percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

const TABLES = 100_000
const RUNS = 10
const CATALOG = 'many'
const LIMIT_MS = 1_000
const FILE = /\/catalogs\/[0-9a-f-]{36}\.duckdb$/
const WITHIN_MS = 60_000

const search = (more: object = {}) => ({
  orders: [{ col: 'name' as const, desc: false }],
  offset: 0,
  limit: 100,
  search: '',
  ...more,
})

/** A file of as many tables, made by DuckDB itself in a fraction of the time. */
async function makeTables(path: string, settings: Workshop['settings']): Promise<void> {
  const maker = await openInProcess(path, settings)
  await maker.run('BEGIN')
  for (let at = 0; at < TABLES; at++) await maker.run(`CREATE TABLE table_${at} (id INTEGER, name VARCHAR)`)
  await maker.run('COMMIT')
  await maker.close()
}

/** Puts it in the place of the empty one of a catalog, while no engine has that open. */
async function putInPlace(path: string, { product, dataDirectory }: Workshop): Promise<void> {
  await product.run(`CREATE CATALOG ${CATALOG}`)
  const files = await readdir(dataDirectory, { recursive: true })
  const file = files.map((name) => join(dataDirectory, name)).find((name) => FILE.test(name))
  if (!file) throw new Error('The catalog has no file.')
  await product.run('SUSPEND WAREHOUSE default_warehouse')
  const deadline = Date.now() + WITHIN_MS
  while ((await readdir(join(file, '..'))).some((name) => name.endsWith('.wal'))) {
    if (Date.now() > deadline) throw new Error('The engine of the account does not end.')
    await sleep(100)
  }
  await copyFile(path, file)
}

/** Lists of a database with 100,000 tables, against DuckDB that lists its own. */
export async function benchCatalogLists(workshop: Workshop): Promise<Measured> {
  const { login, product, settings, scratch } = workshop
  const path = join(scratch, 'many.duckdb')
  await makeTables(path, settings)
  await putInPlace(path, workshop)
  const peer = await openInProcess(path, settings)
  const place = { catalog: CATALOG, databaseName: 'main' }
  const tables = async (more: object, namesOnly = false): Promise<number> => {
    const found = await callAs(login, schema.tables, { ...place, commonSearchParam: search(more), namesOnly })
    return found.total
  }
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    'all names': () => tables({ limit: TABLES }, true),
    'a page': () => tables({ offset: 50_000 }),
    'the last page, descending': () =>
      tables({ offset: TABLES - 100, orders: [{ col: 'name', desc: true }] }),
    'a page of what is searched': () => tables({ search: '_99' }),
    'a page after a table was made': async () => {
      await product.run(`CREATE OR REPLACE TABLE ${CATALOG}.main.made (i int)`)
      return tables({})
    },
    databases: () => callAs(login, schema.databases, { catalog: CATALOG, commonSearchParam: search() }),
  }
  const first = await timed(() => tables({}))
  if ((await tables({})) !== TABLES) throw new Error('Tables are missing.')
  const figures: Measured['figures'][number][] = []
  for (const [label, ask] of Object.entries(asked)) {
    const times: Record<'product' | 'peer', number[]> = { product: [], peer: [] }
    for (let run = 0; run < RUNS; run++) {
      times.product.push(await timed(ask))
      times.peer.push(await timed(() => peer.run('SELECT count(table_name) FROM duckdb_tables()')))
    }
    figures.push({ label, product: percentile(times.product, 1), peer: percentile(times.peer, 1) })
  }
  await peer.close()
  await product.run(`DROP CATALOG ${CATALOG} CASCADE`)
  await rm(path)
  return {
    title: `lists of a database with ${TABLES} tables, slowest of ${RUNS}`,
    peer: 'duckdb_tables()',
    figures,
    goals: [atMost('slowest, ms', Math.max(...figures.map((figure) => figure.product)), LIMIT_MS)],
    notes: [`The first list after the start of the engine took ${Math.round(first)} ms with that start.`],
  }
}
