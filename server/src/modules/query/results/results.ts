import { type Input, LIMITS, readCellFilter, type result } from '@boathouse/contract'
import { EngineUnavailable } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { diskFull, isDiskFull } from '../../../kernel/disk-full.ts'
import type { Log } from '../../../kernel/log.ts'
import { type Arrangement, type CellPart, type ResultReader, ResultRefused } from '../../../results/reader.ts'
import type { ResultRoom } from '../../../results/room.ts'
import { type Decider, type Needed, whyNoLonger } from '../gate/authorize-statement.ts'
import { neededIn } from '../history/ended-row.ts'
import type { ResultStore } from './result-store.ts'
import type { SharedStore } from './shared-store.ts'
import type { SharedUses } from './shared-uses.ts'

export interface ResultParts {
  readonly store: ResultStore
  readonly shared: Pick<SharedStore, 'find'>
  /** Told before somebody is shown a result of somebody else. */
  readonly used: SharedUses
  readonly privileges: Decider
  readonly room: ResultRoom
  /** Done when the end of this query is not on its way to the database any more. */
  readonly endsWritten: (queryId: string) => Promise<void>
  /** Of files that were made of results and count within the same quota. */
  readonly exportedBytes: (accountId: string) => Promise<number>
  readonly accountIds: () => Promise<string[]>
  readonly clock: Clock
  readonly log: Log
}

/** How often quotas are looked at. */
export const LOOK_MS = 60_000
/** The end of a statement may be written this long after its rows: only then is a file without one left over. */
const UNKNOWN_MS = 3_600_000

export const expired = () =>
  new AppError('ResultExpired', 'The rows of this query are no longer kept. Run it again to see them.')

const damaged = (cause: ResultRefused) =>
  new AppError(
    'ResultExpired',
    'The rows of this query were kept, but their file is damaged and cannot be read. Run it again to see them.',
    { cause },
  )

/** Someone else's query, and one that never was, look the same. */
const noSuchQuery = () => new AppError('NotFound', 'There is no such query of yours, nor one that is shared.')

type FoundRow = NonNullable<Awaited<ReturnType<ResultStore['find']>>>

function requireColumns({ result_columns }: FoundRow, { sort, filters }: Wanted): void {
  const count = Array.isArray(result_columns) ? result_columns.length : 0
  const unknown = [sort, ...filters].find((one) => one !== null && one.column >= count)
  if (unknown)
    throw new AppError('BadInput', `column: There is no column ${unknown.column}; the result has ${count}.`)
}

type Wanted = Pick<Input<typeof result.arrangedRows>, 'sort' | 'filters'>

interface Quota {
  readonly quotaBytes?: number
  readonly except?: string
}

/** Who looks, and from where. */
export interface Looker {
  readonly actor: Actor
  readonly clientIp?: string | null
}

const arrangementOf = ({ sort, filters }: Wanted): Arrangement => ({
  sort,
  filters: filters.flatMap(({ column, written }) => {
    const filter = readCellFilter(written)
    return filter ? [{ column, filter }] : []
  }),
})

interface KeptFile {
  readonly queryId: string
  readonly userId: string
  readonly bytes: number
}

/** What goes when there is no room for all. What one user keeps beyond half of the quota goes before anything of others. */
function beyondQuota(
  newestFirst: readonly KeptFile[],
  { bytes, quotaBytes }: { bytes: number; quotaBytes: number },
): KeptFile[] {
  const ofUser = new Map<string, number>()
  const beyondShare = new Set<KeptFile>()
  for (const file of newestFirst) {
    const own = (ofUser.get(file.userId) ?? 0) + file.bytes
    ofUser.set(file.userId, own)
    if (own > quotaBytes / 2) beyondShare.add(file)
  }
  let kept = bytes
  const inOrder = [...newestFirst.filter((file) => !beyondShare.has(file)), ...beyondShare]
  return inOrder.filter((file) => (kept += file.bytes) > quotaBytes)
}

/**
 * Results are objects: named by query id, owned by who ran the query, kept for a day within a quota. Others see one
 * while it is shared and they may read what its statement read.
 */
export function createResults(parts: ResultParts) {
  const { store, shared, used, privileges, room, endsWritten, exportedBytes, accountIds, clock, log } = parts

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

  /** What is said of a result that is there and cannot be handed out, such as a full disk, is the user's answer. */
  async function reading<T>(
    { accountId }: Actor,
    queryId: string,
    work: (reader: ResultReader) => Promise<T>,
  ): Promise<T> {
    try {
      return await room.reading({ accountId, queryId }, work)
    } catch (error) {
      if (error instanceof EngineUnavailable)
        throw new AppError('Unavailable', error.message, { cause: error })
      if (isDiskFull(error)) throw diskFull(error)
      if (!(error instanceof ResultRefused)) throw error
      if (error.error.kind === 'resource')
        throw new AppError('QuotaExceeded', error.message, { cause: error })
      log.warn({ accountId, reason: error.message }, 'a kept result cannot be read')
      throw damaged(error)
    }
  }

  /** The files first: a crash in between leaves a result that is not there, and is told so, and no file for good. */
  async function forget(accountId: string, queryIds: readonly string[]): Promise<void> {
    if (queryIds.length === 0) return
    await room.drop(accountId, queryIds)
    await store.expire(queryIds)
  }

  /** A file is there as a whole and stays as it is, so its size is read once. */
  async function measureNew(accountId: string): Promise<void> {
    await store.measured(await room.sizesOf(accountId, await store.unmeasured(accountId)))
  }

  /** Makes room when an account keeps more than its quota: first of who keeps more than half of it, the oldest first. */
  async function keepWithinQuota(
    accountId: string,
    { quotaBytes = LIMITS.keptBytesPerAccount, except }: Quota = {},
  ): Promise<void> {
    await measureNew(accountId)
    const bytes = await exportedBytes(accountId)
    if (bytes + (await store.keptBytes(accountId)) <= quotaBytes) return
    const over = beyondQuota(await store.newestFirst(accountId), { bytes, quotaBytes }).filter(
      (row) => row.queryId !== except,
    )
    await forget(
      accountId,
      over.map((row) => row.queryId),
    )
  }

  return {
    find,
    reading,
    requireAllowed,
    keepWithinQuota,

    async window(
      { actor, clientIp = null }: Looker,
      queryId: string,
      window: { offset: number; limit: number },
    ) {
      const { expiresAt } = await find(actor, queryId, clientIp)
      const order = { ...window, longestCell: LIMITS.cellLength }
      const read = await reading(actor, queryId, (reader) => reader.read(queryId, order))
      if (!read) throw expired()
      return { ...read, expiresAt: expiresAt.toISOString() }
    },

    async arranged(
      { actor, clientIp = null }: Looker,
      { queryId, offset, limit, ...wanted }: Input<typeof result.arrangedRows>,
    ) {
      const { row, expiresAt } = await find(actor, queryId, clientIp)
      requireColumns(row, wanted)
      const order = { offset, limit, longestCell: LIMITS.cellLength, ...arrangementOf(wanted) }
      const read = await reading(actor, queryId, (reader) => reader.arranged(queryId, order))
      if (!read) throw expired()
      return { ...read, expiresAt: expiresAt.toISOString() }
    },

    async cell({ actor, clientIp = null }: Looker, queryId: string, part: CellPart) {
      await find(actor, queryId, clientIp)
      return reading(actor, queryId, async (reader) => {
        const cell = await reader.cell(queryId, part)
        if (cell) return cell
        if (!(await reader.read(queryId, { offset: 0, limit: 0 }))) throw expired()
        throw new AppError('NotFound', 'There is no such cell in this result.')
      })
    },

    /** Removes what is older than it may be. */
    async expire(): Promise<void> {
      for (const { accountId, queryIds } of await store.expiredBefore(clock.now()))
        await forget(accountId, queryIds)
    },

    /** The accounts that have kept anything since the last look; the others have not grown. */
    async keepAllWithinQuota(): Promise<void> {
      const since = new Date(clock.now().getTime() - 2 * LOOK_MS)
      for (const accountId of await store.accountsKeepingSince(since)) await keepWithinQuota(accountId)
    },

    /** Files of which the database knows nothing, as after a crash. */
    async removeUnknown(): Promise<void> {
      const longAgo = new Date(clock.now().getTime() - UNKNOWN_MS)
      for (const accountId of await accountIds()) {
        const known = (queryIds: readonly string[]) => store.keptOf(accountId, queryIds)
        const count = await room.sweepResults(accountId, longAgo, known)
        if (count > 0) log.info({ accountId, count }, 'results without a statement were removed')
      }
    },
  }
}

export type Results = ReturnType<typeof createResults>
