import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Measured } from './figures.ts'
import { openInProcess } from './in-process.ts'
import { percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

const RUNS = 20
/** People do not suspend and resume in a loop: what the product prepares meanwhile may be ready. */
const PEACE_MS = 2_000

/** From a suspended warehouse to the first row, against opening a DuckDB file in process. */
export async function benchResume({ product, settings, scratch }: Workshop): Promise<Measured> {
  const productTimes: number[] = []
  const peerTimes: number[] = []
  const path = join(scratch, 'resume.duckdb')
  for (let run = 0; run < RUNS; run++) {
    await product.run('SUSPEND WAREHOUSE default_warehouse')
    await sleep(PEACE_MS)
    productTimes.push(await timed(() => product.run('SELECT 1')))
    peerTimes.push(
      await timed(async () => {
        const peer = await openInProcess(path, settings)
        await peer.run('SELECT 1')
        await peer.close()
      }),
    )
  }
  return {
    title: `a suspended warehouse to its first row, ${RUNS} times`,
    peer: 'open a file',
    figures: [0.5, 1].map((share) => ({
      label: share === 1 ? 'slowest' : `p${share * 100}`,
      product: percentile(productTimes, share),
      peer: percentile(peerTimes, share),
    })),
    goals: [atMost('slowest, ms', percentile(productTimes, 1), 300)],
    notes: [],
  }
}
