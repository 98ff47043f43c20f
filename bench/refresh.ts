import { atMost, type Figure, type Measured } from './figures.ts'
import { median } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

const ROWS = 5_000_000
/** A query of about a second, for which somebody makes a materialized view. */
const MANY_ROWS = 50_000_000
const RUNS = 5

const sourceOf = (rows: number): string =>
  `CREATE OR REPLACE TABLE measured AS SELECT i AS id, i % 500 AS kind, hash(i) % 100000 AS amount FROM range(${rows}) t(i)`
const QUERY = `SELECT kind, id % 40 AS part, count(*) AS n, sum(amount) AS amount, max(id) AS last
  FROM measured GROUP BY ALL`

async function timesWith({ product }: Workshop, rows: number): Promise<Figure> {
  await product.run(sourceOf(rows))
  await product.run(`CREATE MATERIALIZED VIEW summed AS ${QUERY}`)
  const times: Record<'refresh' | 'query', number[]> = { refresh: [], query: [] }
  // The first of each is not counted.
  for (let run = 0; run <= RUNS; run++) {
    const refresh = await timed(() => product.run('REFRESH MATERIALIZED VIEW summed WITH SYNC MODE'))
    const query = await timed(() => product.run(`CREATE OR REPLACE TABLE bare AS ${QUERY}`))
    if (run === 0) continue
    times.refresh.push(refresh)
    times.query.push(query)
  }
  await product.run('DROP MATERIALIZED VIEW summed')
  await product.run('DROP TABLE bare')
  await product.run('DROP TABLE measured')
  return {
    label: `over ${rows / 1_000_000} million rows`,
    product: median(times.refresh),
    peer: median(times.query),
  }
}

/** A refresh of a materialized view against its bare query, sent as CREATE OR REPLACE TABLE … AS by the same client. */
export async function benchRefresh(workshop: Workshop): Promise<Measured> {
  const few = await timesWith(workshop, ROWS)
  const many = await timesWith(workshop, MANY_ROWS)
  return {
    title: `refreshing a materialized view, median of ${RUNS} runs`,
    peer: 'the query',
    figures: [few, many],
    goals: [atMost('refresh against a bare query of about a second', many.product / many.peer, 1.1)],
    notes: [
      'Both are statements of the product that keep the same rows in a table.',
      `A refresh is written down before and after it, which takes the same time for every query: ${(few.product - few.peer).toFixed(0)} ms.`,
    ],
  }
}
