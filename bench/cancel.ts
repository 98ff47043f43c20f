import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { callAs } from '@boathouse/client'
import { CODES, editor } from '@boathouse/contract'
import { atMost, type Measured } from './figures.ts'
import { openInProcess } from './in-process.ts'
import { percentile } from './statistics.ts'
import type { Workshop } from './workshop.ts'

const RUNS = 100
/** It must really run when it is stopped. */
const RUN_FOR_MS = 60
/** Hours of work, of a kind that is spread over threads. */
const LONG = 'SELECT count(*) FROM range(3000000) a(x), range(3000000) b(y) WHERE (x * y) % 7 = 3'

async function productTime({ product, login }: Workshop): Promise<number> {
  const requestId = randomUUID()
  const answered = product.ask(LONG, requestId)
  await sleep(RUN_FOR_MS)
  const start = performance.now()
  const stopped = callAs(login, editor.kill, { requestId })
  const answer = await answered
  const ms = performance.now() - start
  await stopped
  if (answer.errCode !== CODES.Cancelled.code) throw new Error(`It ended otherwise: ${answer.errMsg}`)
  return ms
}

async function peerTime(peer: Awaited<ReturnType<typeof openInProcess>>): Promise<number> {
  const ended = peer.run(LONG).catch(() => undefined)
  await sleep(RUN_FOR_MS)
  const start = performance.now()
  peer.interrupt()
  await ended
  return performance.now() - start
}

/** From the click on Stop to the answer on the channel, against an interrupt in process. */
export async function benchCancel(workshop: Workshop): Promise<Measured> {
  const peer = await openInProcess(':memory:', workshop.settings)
  const productTimes: number[] = []
  const peerTimes: number[] = []
  try {
    for (let run = 0; run < RUNS; run++) {
      productTimes.push(await productTime(workshop))
      peerTimes.push(await peerTime(peer))
    }
  } finally {
    await peer.close()
  }
  return {
    title: `stopping a statement, ${RUNS} times`,
    peer: 'in process',
    figures: [0.5, 0.99].map((share) => ({
      label: `p${share * 100}`,
      product: percentile(productTimes, share),
      peer: percentile(peerTimes, share),
    })),
    goals: [atMost('p99, ms', percentile(productTimes, 0.99), 100)],
    notes: [],
  }
}
