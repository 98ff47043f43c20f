import type { Purpose } from '../../../engines/engine/run.ts'
import type { SessionFacts } from '../../../engines/engine/session.ts'
import { aborted } from '../../../kernel/aborted.ts'
import { cancelled, type Ending, failed } from './ending.ts'

/** Statements that ended with an engine learn of it one after the other. */
const GATHERING_MS = 50
/** A statement that ends an engine does so sooner, as a rule. */
const HOLDS_QUEUE_MS = 30_000

type Leave = () => void

interface Waiting {
  /** How long it had run when the engine ended. */
  readonly ranMs: number
  begin(leave: Leave): void
}

/**
 * A queue for each account in which its statements run again, one after the other: one that ends the engine every time
 * then takes no others with it. The shortest run comes first, since the guilty statement had usually just started.
 */
export function createSecondRuns() {
  const queues = new Map<string, Waiting[]>()

  function next(accountId: string): void {
    const queue = queues.get(accountId) ?? []
    const first = queue.toSorted((a, b) => a.ranMs - b.ranMs)[0]
    if (!first) return void queues.delete(accountId)
    queue.splice(queue.indexOf(first), 1)
    let timer: NodeJS.Timeout | undefined
    const leave = (): void => {
      if (!timer) return
      clearTimeout(timer)
      timer = undefined
      next(accountId)
    }
    timer = setTimeout(leave, HOLDS_QUEUE_MS)
    first.begin(leave)
  }

  return {
    /** Resolves when it may run, with what lets the next one in. */
    enter(accountId: string, ranMs: number): Promise<Leave> {
      return new Promise((begin) => {
        const queue = queues.get(accountId)
        if (queue) return void queue.push({ ranMs, begin })
        queues.set(accountId, [{ ranMs, begin }])
        setTimeout(() => next(accountId), GATHERING_MS)
      })
    },
  }
}

export type SecondRuns = ReturnType<typeof createSecondRuns>

const RAN_AGAIN = 'The engine ended while this statement ran, so it ran again from the start.'

/** What decides whether a statement may run again. */
interface Sent {
  readonly actor: { readonly accountId: string }
  readonly connection: SessionFacts
  readonly draws: boolean
  readonly purpose: Purpose
  /** Takes its rows as they come. */
  readonly sink?: { readonly hasBegun: boolean } | undefined
  /** Aborted when the user stops it. */
  readonly stop: AbortSignal
}

/** It left nothing behind and counted on nothing that is gone with the engine. */
const mayRunAgain = ({ connection, purpose, draws, sink }: Sent, { engineLost }: Ending): boolean =>
  engineLost !== undefined &&
  // Rows that a reader has taken cannot be taken back.
  !sink?.hasBegun &&
  purpose === 'reads' &&
  !draws &&
  !connection.inTransaction &&
  !connection.hasTemporary

const suspected = (reason: string): Ending => ({
  ...failed(
    'Interrupted',
    `The engine ended while this statement ran, and again during the second run (${reason}). It is most likely the cause, so it does not run a third time. Change it before you send it again.`,
  ),
  state: 'interrupted',
})

/**
 * Runs it, and runs it once more when the engine ended under it and it only reads: most of what ran in the engine did not
 * end it. A statement under which it ends twice is answered that it is suspected.
 */
export async function runUpToTwice(
  secondRuns: SecondRuns,
  statement: Sent,
  run: () => Promise<Ending>,
): Promise<Ending> {
  const startedAt = performance.now()
  const first = await run()
  if (!mayRunAgain(statement, first)) return first
  const entered = secondRuns.enter(statement.actor.accountId, performance.now() - startedAt)
  const leave = await Promise.race([entered, aborted(statement.stop)])
  if (!leave) {
    void entered.then((late) => late())
    return cancelled('Stopped at your request.')
  }
  try {
    const second = await run()
    return second.engineLost === undefined
      ? { ...second, notice: [RAN_AGAIN, second.notice].filter(Boolean).join(' ') }
      : suspected(second.engineLost)
  } finally {
    leave()
  }
}
