import { AppError } from '../kernel/app-error.ts'

/** Someone who wants a slot. */
export interface Applicant {
  /** Called with the place in the queue, from 1 on: at once when there is one, and whenever it changes. */
  onQueued(place: number): void
  /** Aborted: leaves the queue. */
  readonly signal: AbortSignal
}

interface Waiting {
  readonly applicant: Applicant
  place: number
  settle(answer: Slot | null | Error): void
}

/** The right to run one statement. Given back once; again is no matter. */
export interface Slot {
  release(): void
  /**
   * While its statement waits for its client, another one may run. Gives the way back, which never waits: for as long as
   * both run, there is one more than there are slots.
   */
  lend(): () => void
}

/** The queue may grow to this many for each slot. */
export const WAITING_PER_SLOT = 100

const stopped = () => new AppError('Cancelled', 'Stopped at your request while it was queued.')
const full = (slots: number, waiting: number) =>
  new AppError(
    'WarehouseFull',
    `This warehouse runs ${slots} statements at a time, and ${waiting} more are already queued. Try again later, or use another or a larger warehouse.`,
  )

/** Slots of one warehouse: first come, first served. Knows nothing of time, engines or people. */
export function createAdmission(slotCount: number) {
  const queue: Waiting[] = []
  let slots = slotCount
  let held = 0
  let lent = 0
  /** What newcomers are answered once it is closed. */
  let closed: { readonly answer: Error | null } | undefined
  let drain: (() => void) | undefined
  const drained = new Promise<void>((resolve) => (drain = resolve))

  function take(): Slot {
    held++
    let state: 'held' | 'lent' | 'released' = 'held'
    return {
      release() {
        if (state === 'released') return
        if (state === 'held') held--
        else lent--
        state = 'released'
        serve()
        if (closed && held + lent === 0) drain?.()
      },
      lend() {
        if (state !== 'held') return () => undefined
        state = 'lent'
        held--
        lent++
        serve()
        return () => {
          if (state !== 'lent') return
          state = 'held'
          lent--
          held++
        }
      },
    }
  }

  function serve(): void {
    while (held < slots) {
      const next = queue.shift()
      if (!next) break
      next.settle(take())
    }
    notifyPlaces()
  }

  function notifyPlaces(): void {
    for (const [index, waiting] of queue.entries()) {
      if (waiting.place === index + 1) continue
      waiting.place = index + 1
      waiting.applicant.onQueued(waiting.place)
    }
  }

  function wait(applicant: Applicant): Promise<Slot | null> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        queue.splice(queue.indexOf(waiting), 1)
        waiting.settle(stopped())
        notifyPlaces()
      }
      const waiting: Waiting = {
        applicant,
        place: 0,
        settle(answer) {
          applicant.signal.removeEventListener('abort', leave)
          if (answer instanceof Error) reject(answer)
          else resolve(answer)
        },
      }
      applicant.signal.addEventListener('abort', leave)
      queue.push(waiting)
      notifyPlaces()
    })
  }

  return {
    /** Null when it was closed without an error: the applicant may apply again. */
    async enter(applicant: Applicant): Promise<Slot | null> {
      if (closed?.answer) throw closed.answer
      if (closed) return null
      if (applicant.signal.aborted) throw stopped()
      if (held < slots && queue.length === 0) return take()
      if (queue.length >= slots * WAITING_PER_SLOT) throw full(slots, queue.length)
      return wait(applicant)
    },

    /** With fewer slots, those who hold one keep it. */
    setSlots(count: number): void {
      slots = count
      serve()
    },

    /** No more slots for anyone; resolves when the last one that is held was given back. */
    close(answer: Error | null): Promise<void> {
      closed ??= { answer }
      for (const waiting of queue.splice(0)) waiting.settle(answer)
      if (held + lent === 0) drain?.()
      return drained
    },

    isOpen: (): boolean => closed === undefined,

    /** What is lent is held all the same: its statement runs. */
    counts: () => ({ slots, held: held + lent, waiting: queue.length }),
  }
}

export type Admission = ReturnType<typeof createAdmission>
