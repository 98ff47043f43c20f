import { confinement } from './confinement.ts'
import { HostProcess } from './host-process.ts'

/** Where host processes come from: one is held ready, with its program loaded and no account in it. */
export interface Hosts {
  take(): HostProcess
  /** Has another one started for whoever comes next. */
  refill(): void
  close(): Promise<void>
}

// A start keeps a processor busy, which whoever has just got a process needs more.
const REFILL_AFTER_MS = 500

export function createHosts(hostPath: string, keepsSpare: boolean): Hosts {
  let spare: HostProcess | null = null
  let isClosed = false

  const start = () => new HostProcess({ hostPath, confinement: confinement() })

  function refill(): void {
    if (!keepsSpare || isClosed || spare) return
    const started = start()
    spare = started
    // Not started again: whoever needs it next hears why it does not start.
    void started.ended.then(() => (spare = spare === started ? null : spare))
  }

  // Not in the way of whatever else is being started.
  setImmediate(refill)
  return {
    take() {
      const host = spare ?? start()
      spare = null
      return host
    },
    refill: () => void setTimeout(refill, REFILL_AFTER_MS).unref(),
    async close() {
      isClosed = true
      spare?.kill('it is not needed any more')
      await spare?.ended
    },
  }
}
