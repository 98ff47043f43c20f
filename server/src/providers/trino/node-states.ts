import { availableParallelism } from 'node:os'
import type { StartedNode } from './node-process.ts'
import { cpuMsOf } from './process-identity.ts'

/** One that has not answered for so long, over several looks, may still answer; nobody can say how it is. */
const QUIET_MS = 15_000

/** What was last heard of a node. */
export interface Heard {
  readonly answeredAt: number
  /** Until it has answered once, it starts. */
  readonly hasAnswered: boolean
}

interface Used {
  readonly at: number
  readonly ms: number
  readonly percent: number | null
}

/** How the nodes of a cluster are, from one look at their processes to the next. */
export class NodeStates {
  readonly #used = new Map<string, Used>()

  /** False when its process has ended. */
  async look(node: StartedNode): Promise<boolean> {
    const ms = await cpuMsOf(node)
    if (ms === null) {
      this.#used.delete(node.id)
      return false
    }
    const before = this.#used.get(node.id)
    const at = Date.now()
    const mostMs = before ? (at - before.at) * availableParallelism() : 0
    const percent = before && mostMs > 0 ? Math.min(100, Math.round((100 * (ms - before.ms)) / mostMs)) : null
    this.#used.set(node.id, { at, ms, percent })
    return true
  }

  of(node: StartedNode, { answeredAt, hasAnswered }: Heard) {
    const isQuiet = Date.now() - answeredAt > QUIET_MS
    return {
      name: node.id,
      role: node.isCoordinator ? ('coordinator' as const) : ('worker' as const),
      state: hasAnswered ? (isQuiet ? ('silent' as const) : ('running' as const)) : ('starting' as const),
      startedAt: new Date(node.launchedAt),
      threads: availableParallelism(),
      memoryBytes: node.heapBytes,
      cpuPercent: this.#used.get(node.id)?.percent ?? null,
    }
  }
}
