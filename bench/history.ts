import { randomUUID } from 'node:crypto'
import { callAs, type Login, signIn } from '@boathouse/client'
import { type HistoryFilter, query, type Sent } from '@boathouse/contract'
import { atMost, type Measured } from './figures.ts'
import { percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import { connectToDatabase } from './testing/database.ts'
import { addPastStatements, addPlainUser } from './testing/past-statements.ts'
import type { Workshop } from './workshop.ts'

const STATEMENTS = Number(process.env['BENCH_STATEMENTS'] ?? 1_000_000)
const ROUNDS = 5
/** A page in the middle is not slower than the first. */
const PAGES = 4
const DAY_MS = 86_400_000

const [BUSY, RARE] = [randomUUID(), randomUUID()]
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()

/** Each alone, and together where one leaves much and the other little. */
const FILTERS: readonly HistoryFilter[] = [
  {},
  { user: 'user_7' },
  { user: 'nobody' },
  { warehouse: BUSY },
  { warehouse: RARE },
  { warehouse: 'nowhere' },
  { state: 'finished' },
  { state: 'failed' },
  { state: 'cancelled' },
  { state: 'interrupted' },
  { duration: 'short' },
  { duration: 'medium' },
  { duration: 'long' },
  { door: 'channel' },
  { door: 'mysql' },
  { door: 'ingest' },
  { text: 'not there at all' },
  { text: 'from sales.t_77' },
  { text: 'request-1234' },
  { from: ago(40), until: ago(39.95) },
  { from: ago(60), until: ago(20), text: 'not there' },
  { user: 'user_7', state: 'interrupted' },
  { user: 'user_7', warehouse: RARE },
  { warehouse: BUSY, state: 'failed', duration: 'long' },
  { warehouse: BUSY, state: 'cancelled' },
  { door: 'mysql', user: 'user_3', text: 'not there' },
  { state: 'finished', duration: 'short', door: 'channel', text: 'not there', user: 'user_9' },
  { duration: 'long', user: 'nobody' },
]

interface Page {
  readonly ms: number
  readonly filter: HistoryFilter
}

/** Page after page of each filter, as the console asks for them. */
async function pagesOf(login: Login): Promise<Page[]> {
  const pages: Page[] = []
  for (const filter of FILTERS) {
    let asked: Sent<typeof query.history> = { ...filter, endedOnly: true }
    for (let page = 0; page < PAGES; page++) {
      const began = performance.now()
      const { next } = await callAs(login, query.history, asked)
      pages.push({ filter, ms: performance.now() - began })
      if (next === null) break
      asked = { ...asked, after: next }
    }
  }
  return pages
}

/** The list of what was run, with a million statements in it. */
export async function benchHistory({ running, dataDirectory, login }: Workshop): Promise<Measured> {
  const { accountId } = running.signIn
  const client = await connectToDatabase(dataDirectory)
  try {
    const user = await addPlainUser(client, running.signIn)
    await addPastStatements(client, {
      accountId,
      count: STATEMENTS,
      user,
      warehouses: { busy: BUSY, rare: RARE },
    })
    const plain = await signIn({ ...running.signIn, username: user.name })
    await pagesOf(login)
    const all: Page[] = []
    const own: Page[] = []
    const peer: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      all.push(...(await pagesOf(login)))
      own.push(...(await pagesOf(plain)))
      for (const _ of FILTERS)
        peer.push(
          await timed(() =>
            client.query(
              'select * from statements where account_id = $1 and visible order by accepted_at desc, query_id desc limit 51',
              [accountId],
            ),
          ),
        )
    }
    const times = (pages: readonly Page[]) => pages.map(({ ms }) => ms)
    const slowest = FILTERS.map((filter) => {
      const pages = [...all, ...own].filter((page) => page.filter === filter)
      return { filter, ms: percentile(times(pages), 0.95) }
    })
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, 5)
    const figure = (label: string, pages: readonly Page[], share: number) => ({
      label: `${label}, p${share * 100}`,
      product: percentile(times(pages), share),
      peer: percentile(peer, share),
    })
    return {
      title: `A page of the history, ${STATEMENTS} statements, ${FILTERS.length} filters`,
      peer: 'the newest rows, straight from the database',
      figures: [0.5, 0.95, 0.99].flatMap((share) => [
        figure('of everyone', all, share),
        figure('of one user', own, share),
      ]),
      goals: [
        atMost('p95 of everyone, ms', percentile(times(all), 0.95), 100),
        atMost('p95 of one user, ms', percentile(times(own), 0.95), 100),
        atMost('p95 of the slowest filter, ms', slowest[0]?.ms ?? 0, 100),
      ],
      notes: slowest.map(({ ms, filter }) => `p95 ${ms.toFixed(1)} ms: ${JSON.stringify(filter)}`),
    }
  } finally {
    await client.end()
  }
}
