import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { type Decider, type Needed, whyNoLonger } from '../gate/authorize-statement.ts'
import { neededIn } from '../history/ended-row.ts'
import type { ResultStore } from './result-store.ts'
import type { SharedStore } from './shared-store.ts'
import type { SharedUses } from './shared-uses.ts'

export interface ResultAccessParts {
  readonly store: Pick<ResultStore, 'find'>
  readonly shared: Pick<SharedStore, 'find'>
  /** Called before somebody is shown a result of somebody else. */
  readonly used: SharedUses
  readonly privileges: Decider
  /** Resolves when the end of this query is not on its way to the database any more. */
  readonly endsWritten: (queryId: string) => Promise<void>
  readonly clock: Clock
}

export const expired = () =>
  new AppError('ResultExpired', 'The rows of this query are no longer kept. Run it again to see them.')

/** A query of another user and an unknown one get the same answer. */
const noSuchQuery = () => new AppError('NotFound', 'There is no such query of yours, nor one that is shared.')

export type FoundRow = NonNullable<Awaited<ReturnType<ResultStore['find']>>>

/** Who looks, and from where. */
export interface Looker {
  readonly actor: Actor
  readonly clientIp?: string | null
}

/** Decides who may look at a kept result. */
export function createResultAccess(parts: ResultAccessParts) {
  const { store, shared, used, privileges, endsWritten, clock } = parts

  async function requireNeeded(holder: Actor, needed: Needed, refusal: string): Promise<void> {
    const message = await whyNoLonger(holder, needed, privileges)
    if (message !== null) throw new AppError('NoPermission', `${refusal} ${message}`)
  }

  /** Rows are for those who may run the statement now, whatever they were allowed when it ran. */
  async function requireAllowed(holder: Actor, queryId: string, row: FoundRow): Promise<void> {
    if (row.user_id === holder.userId)
      return requireNeeded(holder, neededIn(row), 'You no longer have access to the rows of this query.')
    await requireShared(holder, queryId)
  }

  async function requireShared(holder: Actor, queryId: string): Promise<Date> {
    const found = await shared.find(holder.accountId, queryId)
    if (!found) throw noSuchQuery()
    await requireNeeded(holder, found.needed, 'You do not have access to the rows of this query.')
    return found.sharedAt
  }

  async function find(actor: Actor, queryId: string, clientIp: string | null = null) {
    await endsWritten(queryId)
    const row = await store.find(actor.accountId, queryId)
    if (!row) throw noSuchQuery()
    const isOwn = row.user_id === actor.userId
    const sharedAt = isOwn ? null : await requireShared(actor, queryId)
    if (row.result_state === 'none') throw new AppError('NotFound', 'No rows are kept of this query.')
    if (row.result_state === 'expired' || !row.result_expires_at || row.result_expires_at <= clock.now())
      throw expired()
    if (isOwn) await requireAllowed(actor, queryId, row)
    if (sharedAt) await used({ actor, clientIp, queryId, sharedAt, owner: row.user_name })
    return { row, isOwn, expiresAt: row.result_expires_at }
  }

  return { find, requireAllowed }
}

export type ResultAccess = ReturnType<typeof createResultAccess>
