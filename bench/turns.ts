import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

export type Sides = Pick<Workshop, 'product' | 'peer'>

/** Milliseconds of every run. */
export interface Times {
  readonly product: number[]
  readonly peer: number[]
}

/** V8 compiles the way of a statement while it is used, in four places: only after some thousand is it done. */
export const WARM_UPS = 5000

/** The two take turns, so that a busy moment of the machine hits both. */
export async function takeTurns({ product, peer }: Sides, sql: string, runs: number): Promise<Times> {
  const times: Times = { product: [], peer: [] }
  for (let run = 0; run < runs; run++) {
    times.product.push(await timed(() => product.run(sql)))
    times.peer.push(await timed(() => peer.run(sql)))
  }
  return times
}
