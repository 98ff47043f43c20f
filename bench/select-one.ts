import type { SqlRunner } from './sql-runner.ts'
import { percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'

const WARM_UPS = 200
const RUNS = 2000

export interface Latency {
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface SelectOneResult {
  readonly runs: number
  readonly channel: Latency
  readonly inProcess: Latency
  readonly p50DifferenceMs: number
  readonly p99DifferenceMs: number
  readonly p50Ratio: number
  readonly p99Ratio: number
}

const latencyOf = (times: readonly number[]): Latency => ({
  p50Ms: percentile(times, 0.5),
  p99Ms: percentile(times, 0.99),
})

/** The whole way of the smallest statement. The two take turns, so that a busy moment of the machine hits both. */
export async function benchSelectOne(product: SqlRunner, peer: SqlRunner): Promise<SelectOneResult> {
  const channelTimes: number[] = []
  const peerTimes: number[] = []
  for (let run = -WARM_UPS; run < RUNS; run++) {
    const channelMs = await timed(() => product.run('select 1'))
    const peerMs = await timed(() => peer.run('select 1'))
    if (run < 0) continue
    channelTimes.push(channelMs)
    peerTimes.push(peerMs)
  }
  const [channel, inProcess] = [latencyOf(channelTimes), latencyOf(peerTimes)]
  return {
    runs: RUNS,
    channel,
    inProcess,
    p50DifferenceMs: channel.p50Ms - inProcess.p50Ms,
    p99DifferenceMs: channel.p99Ms - inProcess.p99Ms,
    p50Ratio: channel.p50Ms / inProcess.p50Ms,
    p99Ratio: channel.p99Ms / inProcess.p99Ms,
  }
}
