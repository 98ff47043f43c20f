import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExportFormat, LIMITS, permissionsOf } from '@boathouse/contract'
import { type Engine, EngineUnavailable, ResultRefused } from '../../engines/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { diskFull, isDiskFull } from '../../kernel/disk-full.ts'
import type { Log } from '../../kernel/log.ts'
import { judge } from './gate.ts'
import type { ResultStore } from './result-store.ts'
import { writeXlsx } from './xlsx.ts'

export interface ResultParts {
  readonly store: ResultStore
  /** Done when the end of this query is not on its way to the database any more. */
  readonly endsWritten: (queryId: string) => Promise<void>
  /** Runs work of any length in the account's engine, without a warehouse. */
  readonly useServiceEngine: <T>(accountId: string, work: (engine: Engine) => Promise<T>) => Promise<T>
  readonly accountDirectory: (accountId: string) => string
  readonly clock: Clock
  readonly log: Log
}

const DOWNLOAD_MS = 10 * 60_000
/** What became of a statement that was cut off is asked for within minutes; marks older than this are of no use. */
const EFFECTS_MS = 7 * 24 * 3_600_000
/** How often quotas are looked at. */
export const LOOK_MS = 60_000
const hashCode = (code: string): Buffer => createHash('sha256').update(code).digest()
const expired = () =>
  new AppError('ResultExpired', 'The rows of this query are no longer kept. Run it again to see them.')

const damaged = (cause: ResultRefused) =>
  new AppError(
    'ResultExpired',
    'The rows of this query were kept, but their file is damaged and cannot be read. Run it again to see them.',
    { cause },
  )

/** Rows are for those who may run the statement now, whatever they were allowed when it ran. */
function requireStillAllowed(actor: Pick<Actor, 'perms'>, sql: string): void {
  const verdict = judge(actor, sql)
  if (verdict.allowed) return
  const { message } = verdict.refusal
  throw new AppError('NoPermission', `You may not see the rows of this query any more. ${message}`)
}

/** Results are objects: named by query id, owned by who ran the query, kept for a day within a quota. */
export function createResults(parts: ResultParts) {
  const { store, endsWritten, useServiceEngine, accountDirectory, clock, log } = parts

  /** Someone else's query, and one that never was, look the same. */
  async function find(actor: Actor, queryId: string) {
    await endsWritten(queryId)
    const row = await store.find(actor.accountId, queryId)
    if (!row || row.user_id !== actor.userId)
      throw new AppError('NotFound', 'There is no such query of yours.')
    if (row.result_state === 'none') throw new AppError('NotFound', 'No rows are kept of this query.')
    if (row.result_state === 'expired' || !row.result_expires_at || row.result_expires_at <= clock.now())
      throw expired()
    requireStillAllowed(actor, row.sql)
    return { expiresAt: row.result_expires_at }
  }

  async function forget(accountId: string, queryIds: readonly string[]): Promise<void> {
    if (queryIds.length === 0) return
    await store.expire(queryIds)
    await useServiceEngine(accountId, (engine) => engine.results.drop(queryIds))
  }

  /** What the engine says of a result it has and cannot hand out, such as a full disk, is the user's answer. */
  async function inEngine<T>(accountId: string, work: (engine: Engine) => Promise<T>): Promise<T> {
    try {
      return await useServiceEngine(accountId, work)
    } catch (error) {
      if (isDiskFull(error)) throw diskFull(error)
      if (error instanceof ResultRefused && error.error.kind === 'resource')
        throw new AppError('QuotaExceeded', error.message, { cause: error })
      if (error instanceof ResultRefused) {
        log.warn({ accountId, reason: error.message }, 'a kept result cannot be read')
        throw damaged(error)
      }
      if (error instanceof EngineUnavailable)
        throw new AppError('Unavailable', error.message, { cause: error })
      throw error
    }
  }

  /** A link asks for no login, so whoever it was given to is looked up. */
  async function requireOwnerStillAllowed(link: { account_id: string; user_id: string; query_id: string }) {
    const row = await store.find(link.account_id, link.query_id)
    if (!row) throw expired()
    requireStillAllowed({ perms: permissionsOf(await store.activeRolesOf(link.user_id)) }, row.sql)
  }

  async function makeFile(actor: Actor, queryId: string, target: { format: ExportFormat; file: string }) {
    return inEngine(actor.accountId, async ({ results }) => {
      if (target.format !== 'xlsx') return results.export(queryId, target.format, target.file)
      return writeXlsx(target.file, (window) => results.read(queryId, window))
    })
  }

  return {
    async window(actor: Actor, queryId: string, window: { offset: number; limit: number }) {
      const { expiresAt } = await find(actor, queryId)
      const order = { ...window, longestCell: LIMITS.cellLength }
      const read = await inEngine(actor.accountId, (engine) => engine.results.read(queryId, order))
      if (!read) throw expired()
      return { ...read, expiresAt: expiresAt.toISOString() }
    },

    async cell(actor: Actor, queryId: string, place: { row: number; column: number }) {
      await find(actor, queryId)
      return inEngine(actor.accountId, async ({ results }) => {
        const cell = await results.cell(queryId, place)
        if (cell) return cell
        if (!(await results.read(queryId, { offset: 0, limit: 0 }))) throw expired()
        throw new AppError('NotFound', 'There is no such cell in this result.')
      })
    },

    /** Makes the file first, so that whoever downloads it gets all of it or is told beforehand. */
    async export(actor: Actor, queryId: string, format: ExportFormat) {
      await find(actor, queryId)
      const directory = join(accountDirectory(actor.accountId), 'exports')
      await mkdir(directory, { recursive: true })
      const file = join(directory, `${randomUUID()}.${format}`)
      const made = await makeFile(actor, queryId, { format, file })
      if (!made) throw expired()
      const code = randomBytes(24).toString('base64url')
      // The end tells ids apart; their beginning is the time.
      const fileName = `query-${queryId.slice(-8)}.${format}`
      await store.insertDownload({
        code_hash: hashCode(code),
        account_id: actor.accountId,
        user_id: actor.userId,
        query_id: queryId,
        format,
        file,
        file_name: fileName,
        expires_at: new Date(clock.now().getTime() + DOWNLOAD_MS),
      })
      return { url: `/download/${code}`, fileName, sizeBytes: made.bytes }
    },

    /** The file behind a link, once; undefined when the link is not, or no longer, good. */
    takeDownload: async (code: string) => {
      const taken = await store.takeDownload(hashCode(code))
      if (!taken) return undefined
      let isGood = false
      try {
        await requireOwnerStillAllowed(taken)
        isGood = taken.expires_at > clock.now()
      } finally {
        if (!isGood) await rm(taken.file, { force: true })
      }
      return isGood ? taken : undefined
    },

    /** Removes what is older than it may be, and of accounts over their quota the oldest results first. */
    async expire(): Promise<void> {
      for (const { accountId, queryIds } of await store.expiredBefore(clock.now()))
        await forget(accountId, queryIds)
      for (const { account_id, file } of await store.takeExpiredDownloads(clock.now())) {
        await rm(file, { force: true })
        log.info({ accountId: account_id }, 'a file that nobody fetched was removed')
      }
    },

    /** The accounts that have kept anything since the last look; the others have not grown. */
    async keepAllWithinQuota(): Promise<void> {
      const since = new Date(clock.now().getTime() - 2 * LOOK_MS)
      for (const accountId of await store.accountsKeepingSince(since)) await this.keepWithinQuota(accountId)
    },

    /** Measures what an account keeps and makes room when it is more than its quota. */
    async keepWithinQuota(accountId: string, quotaBytes: number = LIMITS.keptBytesPerAccount): Promise<void> {
      const forgotten = new Date(clock.now().getTime() - EFFECTS_MS)
      const files = await useServiceEngine(accountId, async (engine) => {
        await engine.forgetEffects(forgotten)
        return engine.results.list()
      })
      const newestFirst = await store.measure(accountId, files)
      let bytes = 0
      const over = newestFirst.filter((row) => (bytes += row.bytes) > quotaBytes)
      await forget(
        accountId,
        over.map((row) => row.queryId),
      )
    },
  }
}

export type Results = ReturnType<typeof createResults>
