import { copyFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TPCH_LIKE_QUERIES } from '../server/src/engines/duckdb/samples/tpch-like-queries.ts'
import { tpchLikeStatements } from '../server/src/engines/duckdb/samples/tpch-like.ts'
import { atMost, type Figure, type Measured } from './figures.ts'
import { openInProcess } from './in-process.ts'
import { geometricMean, median, sum } from './statistics.ts'
import { type Sides, takeTurns, WARM_UPS } from './turns.ts'
import type { Workshop } from './workshop.ts'

const RUNS = 9
const DATABASE = 'bench'
/** An engine ends a minute after the service last needed it, which looks after kept results for some minutes. */
const ENDED_WITHIN_MS = 300_000

function readScale(): number {
  const scale = Number(process.env['BENCH_SCALE'] ?? '1')
  if (scale > 0) return scale
  throw new Error(`BENCH_SCALE must be a number above 0, not "${process.env['BENCH_SCALE']}".`)
}

/**
 * The account's file, copied while nobody has it open. Data that is loaded twice is laid out differently, and some
 * queries take a fifth longer on the one than on the other.
 */
async function copyData({ product, running, dataDirectory, scratch }: Workshop): Promise<string> {
  const file = join(dataDirectory, 'accounts', running.signIn.accountId, 'default_catalog.duckdb')
  await product.run('SUSPEND WAREHOUSE default_warehouse')
  const deadline = Date.now() + ENDED_WITHIN_MS
  while (existsSync(`${file}.wal`)) {
    if (Date.now() > deadline)
      throw new Error(`The engine did not write its log back: ${file}.wal is still there.`)
    await sleep(100)
  }
  const copy = join(scratch, 'tpch-like.duckdb')
  await copyFile(file, copy)
  return copy
}

/** The first run of a query, which warms caches, is checked and not counted. */
async function measure(sides: Sides, sql: string): Promise<Pick<Figure, 'product' | 'peer'>> {
  const [shown, expected] = [await sides.product.run(sql), await sides.peer.run(sql)]
  if (shown.length !== expected.length)
    throw new Error(`Boathouse shows ${shown.length} rows where DuckDB has ${expected.length}, for: ${sql}`)
  const times = await takeTurns(sides, sql, RUNS)
  return { product: median(times.product), peer: median(times.peer) }
}

async function measureAll(sides: Sides): Promise<Figure[]> {
  await takeTurns(sides, `USE ${DATABASE}`, 1)
  await takeTurns(sides, 'SELECT 1', WARM_UPS)
  const figures: Figure[] = []
  for (const { id, title, sql } of TPCH_LIKE_QUERIES)
    figures.push({ label: `${id} ${title}`, ...(await measure(sides, sql)) })
  return figures
}

/** Both sides have the same file. */
export async function benchTpchLike(workshop: Workshop): Promise<Measured> {
  const scale = readScale()
  const { product, settings } = workshop
  for (const statement of tpchLikeStatements({ database: DATABASE, scale })) await product.run(statement)
  const peer = await openInProcess(await copyData(workshop), settings)
  let figures: Figure[]
  try {
    figures = await measureAll({ product, peer })
  } finally {
    await peer.close()
  }
  const total = {
    label: 'total',
    product: sum(figures.map((figure) => figure.product)),
    peer: sum(figures.map((figure) => figure.peer)),
  }
  const mean = geometricMean(figures.map((figure) => figure.product / figure.peer))
  return {
    title: `22 queries at scale ${scale}, median of ${RUNS} runs`,
    peer: 'in process',
    figures: [...figures, total],
    goals: [
      atMost('total against DuckDB in process', total.product / total.peer, 1.05),
      atMost('geometric mean of the ratios', mean, 1.05),
    ],
    notes: [],
  }
}
