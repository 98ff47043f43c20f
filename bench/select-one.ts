import { atMost, type Measured } from './figures.ts'
import { percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

// V8 compiles the way of a statement while it is used, in four places: only after some thousand is it done.
const WARM_UPS = 5000
const RUNS = 2000
const FRESH_RUNS = 200

interface Times {
  readonly product: number[]
  readonly peer: number[]
}

/** The two take turns, so that a busy moment of the machine hits both. */
async function takeTurns({ product, peer }: Workshop, runs: number): Promise<Times> {
  const times: Times = { product: [], peer: [] }
  for (let run = 0; run < runs; run++) {
    times.product.push(await timed(() => product.run('select 1')))
    times.peer.push(await timed(() => peer.run('select 1')))
  }
  return times
}

const figureAt = (share: number, { product, peer }: Times) => ({
  product: percentile(product, share),
  peer: percentile(peer, share),
})

/** The whole way of the smallest statement. */
export async function benchSelectOne(workshop: Workshop): Promise<Measured> {
  const fresh = figureAt(0.5, await takeTurns(workshop, FRESH_RUNS))
  await takeTurns(workshop, WARM_UPS - FRESH_RUNS)
  const times = await takeTurns(workshop, RUNS)
  const figures = [0.5, 0.99].map((share) => ({ label: `p${share * 100}`, ...figureAt(share, times) }))
  const { product, peer } = figureAt(0.5, times)
  return {
    title: `select 1 over the channel, ${RUNS} runs`,
    peer: 'in process',
    figures,
    goals: [atMost('p50 above DuckDB in process, ms', product - peer, 2)],
    notes: [
      `Of the first ${FRESH_RUNS} after the start, p50 was ${fresh.product.toFixed(2)}, in process ${fresh.peer.toFixed(2)}.`,
    ],
  }
}
