import { atMost, type Measured } from './figures.ts'
import { percentile } from './statistics.ts'
import { takeTurns, type Times, WARM_UPS } from './turns.ts'
import type { Workshop } from './workshop.ts'

const SQL = 'select 1'
const RUNS = 2000
const FRESH_RUNS = 200

const figureAt = (share: number, { product, peer }: Times) => ({
  product: percentile(product, share),
  peer: percentile(peer, share),
})

/** The whole way of the smallest statement. */
export async function benchSelectOne(workshop: Workshop): Promise<Measured> {
  const fresh = figureAt(0.5, await takeTurns(workshop, SQL, FRESH_RUNS))
  await takeTurns(workshop, SQL, WARM_UPS - FRESH_RUNS)
  const times = await takeTurns(workshop, SQL, RUNS)
  const figures = [0.5, 0.99].map((share) => ({ label: `p${share * 100}`, ...figureAt(share, times) }))
  const { product, peer } = figureAt(0.5, times)
  return {
    title: `${SQL} over the channel, ${RUNS} runs`,
    peer: 'in process',
    figures,
    goals: [atMost('p50 above DuckDB in process, ms', product - peer, 2)],
    notes: [
      `Of the first ${FRESH_RUNS} after the start, p50 was ${fresh.product.toFixed(2)}, in process ${fresh.peer.toFixed(2)}.`,
    ],
  }
}
