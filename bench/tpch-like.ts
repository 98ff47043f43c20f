import { TPCH_LIKE_QUERIES } from '../server/src/modules/samples/tpch-like-queries.ts'
import { tpchLikeStatements } from '../server/src/modules/samples/tpch-like.ts'
import { atMost, type Figure, type Measured } from './figures.ts'
import type { SqlRunner } from './sql-runner.ts'
import { geometricMean, median, sum } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

const RUNS = 9
const DATABASE = 'bench'

function readScale(): number {
  const scale = Number(process.env['BENCH_SCALE'] ?? '1')
  if (scale > 0) return scale
  throw new Error(`BENCH_SCALE must be a number above 0, not "${process.env['BENCH_SCALE']}".`)
}

async function load(runner: SqlRunner, scale: number): Promise<void> {
  for (const statement of tpchLikeStatements({ database: DATABASE, scale })) await runner.run(statement)
  await runner.run(`USE ${DATABASE}`)
}

/** The first run of a query, which warms caches, is checked and not counted. */
async function measure({ product, peer }: Workshop, sql: string): Promise<Pick<Figure, 'product' | 'peer'>> {
  const [shown, expected] = [await product.run(sql), await peer.run(sql)]
  if (shown.length !== expected.length)
    throw new Error(`Boathouse shows ${shown.length} rows where DuckDB has ${expected.length}, for: ${sql}`)
  const productTimes: number[] = []
  const peerTimes: number[] = []
  for (let run = 0; run < RUNS; run++) {
    productTimes.push(await timed(() => product.run(sql)))
    peerTimes.push(await timed(() => peer.run(sql)))
  }
  return { product: median(productTimes), peer: median(peerTimes) }
}

/** Both sides hold the same data in a file. */
export async function benchTpchLike(workshop: Workshop): Promise<Measured> {
  const scale = readScale()
  await load(workshop.product, scale)
  await load(workshop.peer, scale)
  const figures: Figure[] = []
  for (const { id, title, sql } of TPCH_LIKE_QUERIES)
    figures.push({ label: `${id} ${title}`, ...(await measure(workshop, sql)) })
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
