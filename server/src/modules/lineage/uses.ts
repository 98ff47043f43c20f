import type { Kysely } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import { forgetUses, noteUses, type NotedUse } from './use-store.ts'
import { digestOf, type EndedStatement, usesOfStatement } from './uses-of-statement.ts'

/** What was used reaches the database together, no later than this. */
const GATHERING_MS = 2_000
/** More kinds of statements do not come in that time but from somebody who means to; they are counted no further. */
const MOST_GATHERED = 5_000

const DAY_MS = 86_400_000
const KEPT_DAYS = 30
const FORGOTTEN_TOGETHER = 10_000

export interface UsedBy extends EndedStatement {
  readonly accountId: string
  readonly userId: string
  readonly queryId: string
  readonly acceptedAt: Date
}

export interface UseParts {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Counts which statements used which tables. Nobody waits for it: a crash loses what was used in the last two seconds,
 * which the history still has.
 */
export function createTableUses({ db, clock, log }: UseParts) {
  let gathered = new Map<string, NotedUse>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  function add(use: NotedUse): void {
    const { account_id, catalog, database, name, writes, user_id, digest } = use
    const day = use.accepted_at.slice(0, 10)
    const key = JSON.stringify(
      [account_id, catalog, database, name, writes, user_id, digest, day].map(String),
    ).toLowerCase()
    const before = gathered.get(key)
    if (before || gathered.size < MOST_GATHERED)
      gathered.set(key, before ? { ...use, uses: before.uses + use.uses } : use)
  }

  const write = (uses: readonly NotedUse[]): Promise<void> =>
    noteUses(db, uses).catch((error: unknown) =>
      log.warn({ err: error, count: uses.length }, 'which tables were used was not noted'),
    )

  /** Resolves when everything that was noted by now is written. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (gathered.size > 0) {
      const uses = [...gathered.values()]
      gathered = new Map()
      writing = writing.then(() => write(uses))
    }
    return writing
  }

  return {
    note(used: UsedBy): void {
      const uses = usesOfStatement(used)
      if (uses.length === 0) return
      const digest = digestOf(used)
      for (const { catalog, database, name, writes } of uses)
        add({
          account_id: used.accountId,
          catalog,
          database,
          name,
          writes,
          user_id: used.userId,
          digest,
          uses: 1,
          query_id: used.queryId,
          accepted_at: used.acceptedAt.toISOString(),
        })
      timer ??= setTimeout(() => void flush(), GATHERING_MS)
    },

    flush,

    forgetOld: () => forgetUses(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS), FORGOTTEN_TOGETHER),
  }
}

export type TableUses = ReturnType<typeof createTableUses>
