import { setImmediate as answered } from 'node:timers/promises'
import { readReport } from '../errors.ts'

/** What was not needed for this long is others'. */
const REST_MS = 30_000

export interface FreedMemoryWorld {
  giveBack(): Promise<void>
  /** Something went wrong that no statement suffers from. */
  onTrouble(message: string): void
}

/** Memory that statements have freed: kept while more of them come, since reuse is faster than a new allocation. */
export class FreedMemory {
  private timer: NodeJS.Timeout | null = null

  constructor(private readonly world: FreedMemoryWorld) {}

  /** A statement runs. */
  keep(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
  }

  /** None runs any more. */
  rest(): void {
    this.keep()
    this.timer = setTimeout(() => void this.giveBack(), REST_MS).unref()
  }

  /** Gives it to the system, after which everybody finds it. */
  async giveBack(): Promise<void> {
    // It hangs on small objects, which would be collected when there is no memory left for anything.
    globalThis.gc?.()
    await answered()
    try {
      await this.world.giveBack()
    } catch (error) {
      this.world.onTrouble(`Freed memory is not given back: ${readReport(error).message}`)
    }
  }
}
