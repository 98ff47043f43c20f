import type { Clock } from '../../kernel/clock.ts'
import { historyBegins, monthOf } from '../../kernel/history-time.ts'
import { inBatches } from '../../store/in-batches.ts'
import type { Connections } from './sessions/connections.ts'
import type { EngineSessions } from './sessions/engine-sessions.ts'
import type { QueryStore } from './store.ts'

const CLOSED_CONNECTION_MS = 7 * 24 * 3_600_000

export interface HousekeepingParts {
  readonly store: Pick<
    QueryStore,
    'months' | 'forgetStatements' | 'forgetClosedConnections' | 'interruptUnfinished'
  >
  readonly connections: Pick<Connections, 'closeIdle'>
  readonly sessions: Pick<EngineSessions, 'close'>
  readonly clock: Clock
}

/** What jobs do for the history and for connections, and what is done at the start. */
export const createHousekeeping = ({ store, connections, sessions, clock }: HousekeepingParts) => ({
  async closeIdleConnections(): Promise<void> {
    for (const id of await connections.closeIdle()) await sessions.close(id)
  },

  /** This month and the next, so that every statement finds its table, also after days without this job. */
  async prepareMonths(): Promise<void> {
    const now = clock.now()
    await store.months.add(monthOf(now))
    await store.months.add(monthOf(now, 1))
  },

  /** The history is kept for 90 days, and deleted by whole months. */
  async forgetOld(): Promise<void> {
    const before = historyBegins(clock.now())
    await store.months.dropUntil(before)
    await inBatches((most) => store.forgetStatements(before, most))
  },

  /** A console that comes back within a week begins where its connection was. */
  forgetClosedConnections: () => {
    const before = new Date(clock.now().getTime() - CLOSED_CONNECTION_MS)
    return inBatches((most) => store.forgetClosedConnections(before, most))
  },

  /** At the start: what the last server left unfinished gets a true end. */
  interruptUnfinished: () => store.interruptUnfinished(clock.now()),
})
