import type { BoundValues, CodeName } from '@boathouse/contract'
import { permissionsOf } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import type { Authority } from '../access/authority.ts'
import type { Refresh } from '../query/gate/authorize-statement.ts'
import type { Queries } from '../query/service.ts'
import type { RunRow, RunStore } from './run-store.ts'

/** What is run, where, and as whom. */
export interface RunText extends Pick<
  RunRow,
  'run_id' | 'account_id' | 'user_id' | 'definition' | 'catalog' | 'database' | 'warehouse_id'
> {
  /** For its parameters. */
  readonly values?: BoundValues | undefined
}

/** How a run ended. `open`: only the engine knows whether it took effect, and it cannot be reached yet. */
export type RunEnd =
  | { readonly state: 'success'; readonly queryId: string | null; readonly rows: number | null }
  | {
      readonly state: 'failed'
      readonly queryId: string | null
      readonly code: CodeName
      readonly error: string
    }
  | { readonly state: 'open' }

/** A statement as it is in the history. */
interface KeptStatement {
  readonly query_id: string
  readonly state: string
  readonly effect: string | null
  readonly row_count: number | null
}

export interface RunParts {
  readonly store: Pick<RunStore, 'begin'>
  /** Statements begin to run once everything is wired. */
  readonly queries: () => Pick<Queries, 'submit' | 'kill' | 'killConnection'>
  readonly findRequest: (accountId: string, requestId: string) => Promise<readonly KeptStatement[]>
  readonly endsWritten: () => Promise<void>
  readonly authority: Pick<Authority, 'closure'>
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly log: Log
}

export interface RunOptions {
  /** Who it runs as, where somebody is there; else its user, with all roles that they were given. */
  readonly actor?: Actor
  readonly refresh?: Refresh
  /** Aborted when the caller stops waiting. */
  readonly stop?: AbortSignal
  /** Of its connection, beside those that all runs have. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Runs that nobody waits for can take longer. */
const VARIABLES = { query_timeout: String(4 * 3_600) }

const isDone = ({ state, effect }: KeptStatement): boolean => state === 'finished' || effect === 'taken'

const OWNER_GONE = 'Its owner was removed, so it has no privileges to run with. Create it again.'

/**
 * Runs statements in the background: each is an ordinary request, in the history and in a warehouse, under an id that
 * was recorded before. Sent again after a crash, it is answered with its outcome.
 */
export function createTaskRuns(parts: RunParts) {
  const { store, queries, findRequest, endsWritten, authority, actorOf, log } = parts
  const running = new Map<string, Promise<RunEnd>>()
  const background = new Set<Promise<unknown>>()

  async function ownerOf(userId: string): Promise<Actor> {
    const owner = await actorOf(userId)
    if (!owner) throw new AppError('NoPermission', OWNER_GONE)
    const activeRoles = await authority.closure(owner, owner.heldRoles)
    return { ...owner, activeRoles, perms: permissionsOf(activeRoles) }
  }

  async function outcomeOf({ account_id, run_id }: RunText, refusal: AppError): Promise<RunEnd> {
    await endsWritten()
    const all = await findRequest(account_id, run_id)
    // The first that did not end well, or the last.
    const kept = all.find((one) => !isDone(one)) ?? all.at(-1)
    const queryId = kept?.query_id ?? null
    if (kept && isDone(kept)) return { state: 'success', queryId, rows: kept.row_count }
    if (kept?.effect === 'unknown') return { state: 'open' }
    return { state: 'failed', queryId, code: refusal.code, error: refusal.message }
  }

  async function submit(row: RunText, { actor, refresh, stop, variables }: RunOptions): Promise<RunEnd> {
    let refusal = new AppError('Interrupted', 'The service ended before it ran.')
    let connectionId = 0
    let who = actor
    try {
      who ??= await ownerOf(row.user_id)
      const known = who
      const requester = { known, now: actor ? async () => known : () => ownerOf(row.user_id) }
      await store.begin(row.run_id)
      const end = () =>
        void queries()
          .kill(known, row.run_id)
          .catch(() => undefined)
      stop?.addEventListener('abort', end)
      const ended = queries().submit(
        requester,
        {
          requestId: row.run_id,
          sql: row.definition,
          ...(row.values ? { values: row.values } : {}),
          connectionId: 0,
          previousConnectionId: 0,
          place: {
            catalog: row.catalog,
            database: row.database,
            warehouseId: row.warehouse_id,
            variables: { ...VARIABLES, ...variables },
          },
          clientId: 'task',
          clientIp: null,
          door: 'service',
          ...(refresh ? { refresh } : {}),
        },
        (answer) => {
          connectionId = answer.connectionId
          if (answer.state === 'failed') refusal = new AppError(answer.code, answer.message)
        },
      )
      if (stop?.aborted) end()
      await ended.finally(() => stop?.removeEventListener('abort', end))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refusal = error
    } finally {
      if (who && connectionId > 0)
        await queries()
          .killConnection(who, connectionId)
          .catch((error: unknown) => log.warn({ err: error }, 'the connection of a task was not closed'))
    }
    return outcomeOf(row, refusal)
  }

  return {
    /** As whom something of this user runs: with all roles that they were given. Throws when they are gone. */
    ownerOf,

    isRunning: (runId: string): boolean => running.has(runId),

    /** Until its end, which the caller records. */
    run(row: RunText, options: RunOptions = {}): Promise<RunEnd> {
      const known = running.get(row.run_id)
      if (known) return known
      const run = submit(row, options).finally(() => running.delete(row.run_id))
      running.set(row.run_id, run)
      return run
    },

    /** Work that nobody waits for until this server ends; what it failed by is logged. */
    inBackground(work: Promise<unknown>, runId: string): void {
      const tracked = work
        .catch((error: unknown) => log.error({ err: error, runId }, 'a task was not seen to its end'))
        .finally(() => background.delete(tracked))
      background.add(tracked)
    },

    /** Resolves when the ends of all that runs now are written. */
    async idle(): Promise<void> {
      await Promise.all(background)
    },

    /** Resolves when it no longer runs. */
    async stop(row: Pick<RunRow, 'run_id' | 'user_id'>): Promise<void> {
      const run = running.get(row.run_id)
      if (!run) return
      const actor = await actorOf(row.user_id)
      if (actor) await queries().kill(actor, row.run_id)
      await run.catch(() => undefined)
    },
  }
}

export type TaskRuns = ReturnType<typeof createTaskRuns>
