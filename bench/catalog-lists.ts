import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { callAs, type Login, signIn } from '@boathouse/client'
import { schema } from '@boathouse/contract'
import { type ChannelClient, openChannel } from './channel-client.ts'
import { atMost, type Figure, type Measured } from './figures.ts'
import { type InProcess, openInProcess } from './in-process.ts'
import { catalogOf, makeTables } from './many-tables.ts'
import { percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import { connectToDatabase } from './testing/database.ts'
import { addPlainUser } from './testing/past-statements.ts'
import { addSingleGrants } from './testing/single-grants.ts'
import { firstThreadMs } from './thread-time.ts'
import type { Workshop } from './workshop.ts'

const TABLES = Number(process.env['BENCH_TABLES'] ?? 100_000)
const RUNS = 5
const CATALOG = 'many'
const LIMIT_MS = 1_000
const THREAD_MS = 20
/** By one SHOW TABLES. */
const MOST_SHOWN = 10_000

const search = (more: object = {}) => ({
  orders: [{ col: 'name' as const, desc: false }],
  offset: 0,
  limit: 100,
  search: '',
  ...more,
})

/** Somebody who looks at it, and how many of the tables they may see. */
interface Viewer {
  readonly who: string
  readonly login: Login
  readonly channel: ChannelClient
  readonly sees: number
}

type Questions = Readonly<Record<string, () => Promise<unknown>>>

const PLACE = { catalog: CATALOG, databaseName: 'main' }
const ONE = { ...PLACE, tableName: 'table_7' }

function mustBe(what: string, found: unknown, expected: number): void {
  if (Number(found) !== expected) throw new Error(`${what}: ${String(found)} and not ${expected}.`)
}

/** What anybody may ask, with what they see in it. */
function questionsOf({ login, channel, sees }: Viewer): Questions {
  const tables = async (more: object, namesOnly = false) => {
    const found = await callAs(login, schema.tables, {
      ...PLACE,
      commonSearchParam: search(more),
      namesOnly,
    })
    if (!('search' in more)) mustBe('tables in a list', found.total, sees)
    return found
  }
  return {
    'all names': async () => mustBe('names', (await tables({ limit: TABLES }, true)).names?.length, sees),
    'the first page': () => tables({}),
    'a page in the middle': () => tables({ offset: Math.floor(sees / 2) }),
    'the last page, descending': () =>
      tables({ offset: Math.max(0, sees - 100), orders: [{ col: 'name', desc: true }] }),
    'a page of what is searched': () => tables({ search: '_99' }),
    databases: () => callAs(login, schema.databases, { catalog: CATALOG, commonSearchParam: search() }),
    'the search of the palette': () => callAs(login, schema.search, { search: 'table_99' }),
    'the page of a table': () => callAs(login, schema.describe, ONE),
    'its columns': () => callAs(login, schema.columns, ONE),
    'DESCRIBE of a table': () => channel.run(`DESCRIBE ${CATALOG}.main.table_7`),
    'SELECT of a table': () => channel.run(`SELECT * FROM ${CATALOG}.main.table_7`),
    'SHOW TABLES': async () => {
      const shown = await channel.run(`SHOW TABLES FROM ${CATALOG}.main`)
      mustBe('tables that are shown', shown.length, Math.min(sees, MOST_SHOWN))
    },
    'SHOW TABLES LIKE': async () =>
      mustBe('tables', (await channel.run(`SHOW TABLES FROM ${CATALOG}.main LIKE 'table_7'`)).length, 1),
  }
}

/** What only lists of DuckDB tell. */
const listingsOf = ({ channel, sees }: Viewer): Questions => ({
  'information_schema.tables': async () => {
    const [row] = await channel.run(
      `SELECT count(*) FROM information_schema.tables WHERE table_catalog = '${CATALOG}' AND table_schema = 'main'`,
    )
    mustBe('tables in information_schema', row?.[0], sees)
  },
})

const statementsOf = ({ login, channel }: Viewer): Questions => ({
  'its create statement': () => callAs(login, schema.showCreateTable, ONE),
  'what uses it': () => callAs(login, schema.dependencies, ONE),
  'CREATE and DROP TABLE': async () => {
    await channel.run(`CREATE TABLE ${CATALOG}.main.made (i int)`)
    await channel.run(`DROP TABLE ${CATALOG}.main.made`)
  },
  'CREATE OR REPLACE TABLE': async () => {
    await channel.run(`CREATE OR REPLACE TABLE ${CATALOG}.main.made (i int)`)
    await channel.run(`DROP TABLE ${CATALOG}.main.made`)
  },
  'a page after a table was made': async () => {
    await channel.run(`CREATE TABLE ${CATALOG}.main.made (i int)`)
    await callAs(login, schema.tables, { ...PLACE, commonSearchParam: search() })
    await channel.run(`DROP TABLE ${CATALOG}.main.made`)
  },
})

interface Asking {
  readonly peer: InProcess
  readonly pid: number
}

interface Asked extends Figure {
  /** The most that one of them took of the server's one thread. */
  readonly threadMs: number
}

async function ask(questions: Questions, who: string, { peer, pid }: Asking): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const [label, question] of Object.entries(questions)) {
    const times: Record<'product' | 'peer' | 'thread', number[]> = { product: [], peer: [], thread: [] }
    await question()
    for (let run = 0; run < RUNS; run++) {
      const before = await firstThreadMs(pid)
      times.product.push(await timed(question))
      times.thread.push((await firstThreadMs(pid)) - before)
      times.peer.push(await timed(() => peer.run('SELECT count(table_name) FROM duckdb_tables()')))
    }
    const most = (of: keyof typeof times) => percentile(times[of], 1)
    asked.push({
      label: `${label}${who}`,
      product: most('product'),
      peer: most('peer'),
      threadMs: percentile(times.thread, 0.5),
    })
  }
  return asked
}

/** Users without roles, who hold SELECT on some of the tables one by one. */
async function plainViewers(workshop: Workshop, catalogId: string): Promise<Viewer[]> {
  const { running, dataDirectory } = workshop
  const { accountId } = running.signIn
  const client = await connectToDatabase(dataDirectory)
  try {
    const viewers: Viewer[] = []
    for (const sees of [10, TABLES / 2]) {
      const user = await addPlainUser(client, running.signIn)
      await addSingleGrants(client, { accountId, userId: user.id, catalogId, tables: sees })
      const login = await signIn({ ...running.signIn, username: user.name })
      viewers.push({ who: `, seeing ${sees}`, login, channel: await openChannel(login), sees })
    }
    return viewers
  } finally {
    await client.end()
  }
}

/** Lists of a database with 100,000 tables, against DuckDB that lists its own. */
export async function benchCatalogLists(workshop: Workshop): Promise<Measured> {
  const { login, product, settings, scratch, running } = workshop
  const path = join(scratch, 'many.duckdb')
  await makeTables(path, TABLES, settings)
  const catalogId = await catalogOf(path, CATALOG, workshop)
  const peer = await openInProcess(path, settings)
  const asking = { peer, pid: running.pid }
  const admin = { who: '', login, channel: product, sees: TABLES }
  const first = await timed(() => callAs(login, schema.tables, { ...PLACE, commonSearchParam: search() }))
  const viewers = [admin, ...(await plainViewers(workshop, catalogId))]
  const [lists, others]: [Asked[], Asked[]] = [[], []]
  for (const viewer of viewers) {
    lists.push(...(await ask(questionsOf(viewer), viewer.who, asking)))
    others.push(...(await ask(listingsOf(viewer), viewer.who, asking)))
  }
  others.push(...(await ask(statementsOf(admin), '', asking)))
  for (const { channel } of viewers.slice(1)) await channel.close()
  await peer.close()
  await product.run(`DROP CATALOG ${CATALOG} CASCADE`)
  await rm(path)
  const all = [...lists, ...others]
  const busiest = all.toSorted((one, other) => other.threadMs - one.threadMs).slice(0, 5)
  return {
    title: `a database with ${TABLES} tables, slowest of ${RUNS}`,
    peer: 'duckdb_tables()',
    figures: all.map(({ label, product: ms, peer: peerMs }) => ({ label, product: ms, peer: peerMs })),
    goals: [
      atMost('slowest list, ms', Math.max(...lists.map((figure) => figure.product)), LIMIT_MS),
      atMost('of the one thread of the server, ms', busiest[0]?.threadMs ?? 0, THREAD_MS),
    ],
    notes: [
      `The first list after the start of the engine took ${Math.round(first)} ms with that start.`,
      ...busiest.map(({ label, threadMs }) => `${threadMs.toFixed(1)} ms of the server's thread: ${label}`),
    ],
  }
}
