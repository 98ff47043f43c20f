import { atMost, type Measured } from './figures.ts'
import { percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

const WARM_UPS = 200
const RUNS = 2000

/** The whole way of the smallest statement. The two take turns, so that a busy moment of the machine hits both. */
export async function benchSelectOne({ product, peer }: Workshop): Promise<Measured> {
  const productTimes: number[] = []
  const peerTimes: number[] = []
  for (let run = -WARM_UPS; run < RUNS; run++) {
    const productMs = await timed(() => product.run('select 1'))
    const peerMs = await timed(() => peer.run('select 1'))
    if (run < 0) continue
    productTimes.push(productMs)
    peerTimes.push(peerMs)
  }
  const figures = [0.5, 0.99].map((share) => ({
    label: `p${share * 100}`,
    product: percentile(productTimes, share),
    peer: percentile(peerTimes, share),
  }))
  const more = percentile(productTimes, 0.5) - percentile(peerTimes, 0.5)
  return {
    title: `select 1 over the channel, ${RUNS} runs`,
    peer: 'in process',
    figures,
    goals: [atMost('p50 above DuckDB in process, ms', more, 2)],
    notes: [],
  }
}
