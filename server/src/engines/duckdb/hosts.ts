import { confinement } from './confinement.ts'
import { HostProcess } from './host-process.ts'
import { MemoryLimits } from './memory-limit.ts'
import type { Patience } from './silence.ts'

/** Where host processes come from: one is held ready, with its program loaded and no account in it. */
export interface Hosts {
  /** For those that were taken. */
  readonly memory: MemoryLimits
  take(): HostProcess
  /** Has another one started for whoever comes next. */
  refill(): void
  close(): Promise<void>
}

// A start keeps a processor busy, which whoever has just got a process needs more.
const REFILL_AFTER_MS = 500

export interface HostsOptions {
  readonly hostPath: string
  readonly keepsSpare: boolean
  readonly patience?: Patience | undefined
}

export function createHosts({ hostPath, keepsSpare, patience }: HostsOptions): Hosts {
  const memory = new MemoryLimits()
  let spare: HostProcess | null = null
  let isClosed = false

  const start = () => new HostProcess({ hostPath, confinement: confinement(), patience })

  function refill(): void {
    if (!keepsSpare || isClosed || spare) return
    memory.prepare()
    const started = start()
    spare = started
    // Not started again: whoever needs it next hears why it does not start.
    void started.ended.then(() => (spare = spare === started ? null : spare))
  }

  // Not in the way of whatever else is being started.
  setImmediate(refill)
  return {
    memory,
    take() {
      const host = spare ?? start()
      spare = null
      return host
    },
    refill: () => void setTimeout(refill, REFILL_AFTER_MS).unref(),
    async close() {
      isClosed = true
      memory.close()
      spare?.kill('it is not needed any more')
      await spare?.ended
    },
  }
}
