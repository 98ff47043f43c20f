import type { ClockLike, TimerId } from '@boathouse/client/clock'
import { accountPollMs, forcesLogout } from '@boathouse/contract/account-state'

interface PollParts {
  /** Resolves with the shell's state of the account; a rejection counts as no news. */
  readonly ask: () => Promise<number>
  readonly clock: ClockLike
  readonly firstState: number
  readonly stateChanged: (state: number, before: number) => void
  readonly accountClosed: () => void
}

/** Asks again and again, sooner while the account is about to change. Returns how to stop. */
export function pollAccount({ ask, clock, firstState, stateChanged, accountClosed }: PollParts): () => void {
  let state = firstState
  let timer: TimerId
  let stopped = false

  async function round(): Promise<void> {
    const next = await ask().catch(() => state)
    if (stopped) return
    if (forcesLogout(next)) return accountClosed()
    if (next !== state) {
      const before = state
      state = next
      stateChanged(next, before)
    }
    later()
  }

  function later(): void {
    timer = clock.setTimeout(() => void round(), accountPollMs(state))
  }

  void round()
  return () => {
    stopped = true
    clock.clearTimeout(timer)
  }
}
