import { TPCH_LIKE_QUERIES } from '../server/src/modules/samples/tpch-like-queries.ts'
import { tpchLikeStatements } from '../server/src/modules/samples/tpch-like.ts'
import type { SqlRunner } from './sql-runner.ts'
import { geometricMean, median, sum } from './statistics.ts'
import { timed } from './stopwatch.ts'

const RUNS = 5
const DATABASE = 'bench'

export interface QueryTimes {
  readonly id: string
  readonly title: string
  /** Medians. */
  readonly channelMs: number
  readonly inProcessMs: number
  readonly ratio: number
}

export interface TpchLikeResult {
  readonly scale: number
  readonly runs: number
  readonly queries: readonly QueryTimes[]
  readonly geometricMeanRatio: number
  readonly totalRatio: number
  readonly channelTotalMs: number
  readonly inProcessTotalMs: number
}

async function load(runner: SqlRunner, scale: number): Promise<void> {
  for (const statement of tpchLikeStatements({ database: DATABASE, scale })) await runner.run(statement)
  await runner.run(`USE ${DATABASE}`)
}

interface Sides {
  readonly product: SqlRunner
  readonly peer: SqlRunner
}

async function measure(
  sql: string,
  { product, peer }: Sides,
): Promise<{ channelMs: number; inProcessMs: number }> {
  const [shown, expected] = [await product.run(sql), await peer.run(sql)]
  if (shown.length !== expected.length)
    throw new Error(`Boathouse shows ${shown.length} rows where DuckDB has ${expected.length}, for: ${sql}`)
  const channelTimes: number[] = []
  const peerTimes: number[] = []
  for (let run = 0; run < RUNS; run++) {
    channelTimes.push(await timed(() => product.run(sql)))
    peerTimes.push(await timed(() => peer.run(sql)))
  }
  return { channelMs: median(channelTimes), inProcessMs: median(peerTimes) }
}

/** Both sides hold the same data; the first run of a query, which warms caches, is checked and not counted. */
export async function benchTpchLike(sides: Sides, scale: number): Promise<TpchLikeResult> {
  await load(sides.product, scale)
  await load(sides.peer, scale)
  const queries: QueryTimes[] = []
  for (const { id, title, sql } of TPCH_LIKE_QUERIES) {
    const times = await measure(sql, sides)
    queries.push({ id, title, ...times, ratio: times.channelMs / times.inProcessMs })
  }
  const channelTotalMs = sum(queries.map((query) => query.channelMs))
  const inProcessTotalMs = sum(queries.map((query) => query.inProcessMs))
  return {
    scale,
    runs: RUNS,
    queries,
    geometricMeanRatio: geometricMean(queries.map((query) => query.ratio)),
    totalRatio: channelTotalMs / inProcessTotalMs,
    channelTotalMs,
    inProcessTotalMs,
  }
}
