import { EngineUnavailable } from '../../engine/engine.ts'
import { confinement } from './confinement.ts'
import { HostProcess } from './host-process.ts'
import { MemoryLimits } from './memory-limit.ts'
import type { Patience } from './silence.ts'

/** Where host processes come from: one is held ready, with its program loaded and no account in it. */
export interface Hosts {
  /** For those that were taken. */
  readonly memory: MemoryLimits
  take(): Promise<HostProcess>
  /** Has another one started for the next caller. */
  refill(): void
  close(): Promise<void>
}

// A start keeps a processor busy, which the process that was just taken needs more.
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
    // Not started again: the next caller that needs one learns why it does not start.
    void started.ended.then(() => (spare = spare === started ? null : spare))
  }

  // Not in the way of whatever else is being started.
  setImmediate(refill)
  return {
    memory,
    async take() {
      const ready = spare
      spare = null
      return ready && (await isAlive(ready)) ? ready : start()
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

/** The end of a process is reported a moment later: an idle one may be gone already. */
async function isAlive(host: HostProcess): Promise<boolean> {
  try {
    await host.ask({ kind: 'ping' }).answer
    return true
  } catch (error) {
    if (error instanceof EngineUnavailable) return false
    throw error
  }
}
