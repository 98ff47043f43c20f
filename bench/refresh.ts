import { atMost, type Measured } from './figures.ts'
import { median } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

const ROWS = 5_000_000
const RUNS = 5

const SOURCE = `CREATE TABLE measured AS SELECT i AS id, i % 500 AS kind, hash(i) % 100000 AS amount FROM range(${ROWS}) t(i)`
const QUERY = `SELECT kind, id % 40 AS part, count(*) AS n, sum(amount) AS amount, max(id) AS last
  FROM measured GROUP BY ALL`

/** A refresh of a materialized view against its bare query, sent as CREATE OR REPLACE TABLE … AS by the same client. */
export async function benchRefresh({ product }: Workshop): Promise<Measured> {
  await product.run(SOURCE)
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
  const [refreshMs, queryMs] = [median(times.refresh), median(times.query)]
  return {
    title: `a materialized view over ${ROWS} rows, median of ${RUNS} runs`,
    peer: 'the query',
    figures: [{ label: 'refreshing it', product: refreshMs, peer: queryMs }],
    goals: [atMost('refresh against the bare query', refreshMs / queryMs, 1.1)],
    notes: ['Both are statements of the product that keep the same rows in a table.'],
  }
}
