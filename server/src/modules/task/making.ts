import { LIMITS } from '@boathouse/contract'
import { readStatement, type RefreshChoice } from '@boathouse/sql'
import type { Transaction } from 'kysely'
import type { Outcome } from '../../engines/engine/outcome.ts'
import { AppError } from '../../kernel/app-error.ts'
import { requireShare } from '../../kernel/share.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import { requireKeptRoom } from '../quota/room.ts'
import type { Schema } from '../../store/schema.ts'
import { SERVICE, userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { createLooking } from '../schema/objects/looking.ts'
import { timesOf } from './refresh-times.ts'
import type { Refreshing } from './refreshing.ts'
import type { RunRow } from './run-store.ts'
import type { RunEnd } from './runs.ts'
import { accessOf, pathOf, type TaskParts, type Who } from './task-parts.ts'
import type { ViewPlace, ViewRow } from './view-store.ts'

export interface NewView {
  readonly place: ViewPlace
  readonly query: string
  readonly comment: string
  readonly refresh: RefreshChoice
  /** Without rows until it is refreshed. */
  readonly deferred: boolean
  /** Where names in the query are looked for. */
  readonly home: { readonly catalog: string; readonly database: string | null }
  readonly warehouseId: string | null
  readonly stop: AbortSignal
}

const SHARE = {
  mostOfAccount: LIMITS.materializedViewsPerAccount,
  mostOfUser: LIMITS.materializedViewsPerUser,
  what: 'materialized views',
  how: 'Drop one that is no longer needed, then create this one.',
}

const MOST_UNFINISHED = 100

/** Seconds are enough for a schedule, and are written with it. */
const inSeconds = (at: Date): Date => new Date(Math.floor(at.getTime() / 1_000) * 1_000)

/** Creates and drops materialized views. Either is written down first, so that after a crash it is finished or taken back. */
export function createMaking(parts: TaskParts, refreshing: Refreshing) {
  const { views, runStore, runs, known, authority, transaction, clock, log } = parts
  const look = createLooking({ useServiceEngine: parts.useServiceEngine })
  /** By this server, now. */
  const beingDropped = new Set<string>()

  function rowOf(who: Who, asked: NewView): ViewRow {
    const now = clock.now()
    return {
      view_id: timeOrderedId(),
      account_id: who.actor.accountId,
      ...asked.place,
      state: 'making',
      renaming_to: null,
      owner_id: who.actor.userId,
      query: asked.query,
      home_catalog: asked.home.catalog,
      home_database: asked.home.database,
      comment: asked.comment,
      warehouse_id: asked.warehouseId,
      ...timesOf(asked.refresh, inSeconds(now)),
      paused: false,
      deferred: asked.deferred,
      sources: [],
      bound: null,
      refreshed_at: null,
      changed_at: null,
      being_written: false,
      next_refresh_at: null,
      failures: 0,
      created_at: now,
    }
  }

  /** From now on the name is this view's. */
  async function reserve(view: ViewRow, run: RunRow): Promise<void> {
    await transaction(async (trx) => {
      const { account_id } = view
      requireShare(await views.countAlone(trx, account_id, view.owner_id), SHARE)
      if (!(await views.insert(trx, view)))
        throw new AppError('NameTaken', `The materialized view ${pathOf(view)} already exists.`)
      await runStore.insert(trx, run)
      await requireKeptRoom(trx, { accountId: account_id, userId: view.owner_id }, 'tasks')
    })
    known.forget(view.account_id)
  }

  /** Its table is there: it becomes known, and whoever made it holds everything on it. */
  async function publish(trx: Transaction<Schema>, view: ViewRow, who: Who | null): Promise<void> {
    const owner = who?.actor ?? (await parts.actorOf(view.owner_id))
    await views.setState(view.view_id, 'there', trx)
    await parts.forgetGrants(trx, view.account_id, accessOf(view))
    if (owner && !authority.holdsAll(owner)) await parts.grantToCreator(trx, owner, accessOf(view))
    await recordAudit(trx, {
      accountId: view.account_id,
      at: clock.now(),
      by: who ? userAuthor(who) : SERVICE,
      action: 'materialized_view.create',
      object: { type: 'materialized_view', id: view.view_id, name: pathOf(view) },
      before: null,
      after: { name: view.name, trigger: view.trigger },
    })
  }

  /** What became of its table decides: a view without one is not there. */
  async function make(
    view: ViewRow,
    run: RunRow,
    by: { who: Who | null; stop?: AbortSignal },
  ): Promise<RunEnd> {
    const { who, stop } = by
    const refresh = refreshing.readsOf(view)
    const end = await runs.run(run, {
      refresh,
      ...(who ? { actor: who.actor } : {}),
      ...(stop ? { stop } : {}),
    })
    if (end.state === 'success')
      await refreshing.writeEnd(run, end, {
        sources: refresh.sources(),
        bound: refresh.bound(),
        also: (trx) => publish(trx, view, who),
      })
    if (end.state === 'failed') await views.remove(view.view_id)
    known.forget(view.account_id)
    return end
  }

  async function dropTable(view: ViewRow): Promise<Outcome> {
    return look({ accountId: view.account_id, user: '' }, (looking) => {
      const { catalog, database, name } = view
      const sql = looking.statements().dropIfThere({ type: 'table', catalog, database, name })
      return looking.run(sql, { takenFor: null, authorize: 'all', maxRows: 1 })
    })
  }

  async function forget(view: ViewRow, who: Who | null): Promise<void> {
    await transaction(async (trx) => {
      await views.remove(view.view_id, trx)
      await parts.forgetGrants(trx, view.account_id, accessOf(view))
      await recordAudit(trx, {
        accountId: view.account_id,
        at: clock.now(),
        by: who ? userAuthor(who) : SERVICE,
        action: 'materialized_view.drop',
        object: { type: 'materialized_view', id: view.view_id, name: pathOf(view) },
        before: { name: view.name, trigger: view.trigger },
        after: null,
      })
    })
    known.forget(view.account_id)
    await refreshing.tell(view)
  }

  async function dropAlone(who: Who, view: ViewRow): Promise<void> {
    if (!(await views.beginDrop(view.view_id)))
      throw new AppError(
        'Conflict',
        `The materialized view ${pathOf(view)} is already being dropped or renamed.`,
      )
    const open = await runStore.openOf(view.view_id)
    if (open) await runs.stop(open)
    const outcome = await dropTable(view).catch(async (error: unknown) => {
      // Nothing was run.
      await views.setState(view.view_id, 'there')
      throw error
    })
    if (outcome.state === 'lost')
      throw new AppError(
        'Interrupted',
        `The engine ended while it dropped ${pathOf(view)}. The drop completes as soon as the engine is back.`,
      )
    if (outcome.state !== 'finished') {
      await views.setState(view.view_id, 'there')
      const why = outcome.state === 'failed' ? outcome.error.message : 'The engine is too busy.'
      throw new AppError('QueryFailed', `${pathOf(view)} was not dropped. ${why}`)
    }
    await forget(view, who)
  }

  return {
    /** With its rows, unless they are to come later: then it is there, or nothing is. */
    async create(who: Who, asked: NewView): Promise<void> {
      const kind = readStatement(asked.query).kind
      if (kind !== 'select')
        throw new AppError('QueryFailed', 'A materialized view needs a query. Write SELECT after AS.')
      const view = rowOf(who, asked)
      const definition = await refreshing.statementFor(view, asked.deferred ? 'empty' : 'new')
      const run = refreshing.runOf(view, { reason: 'create', definition, by: who.actor.user })
      await reserve(view, run)
      const end = await make(view, run, { who, stop: asked.stop })
      if (end.state === 'failed') throw new AppError(end.code, end.error)
      if (end.state === 'open')
        throw new AppError(
          'Interrupted',
          `The engine ended while ${pathOf(view)} was created. SHOW MATERIALIZED VIEWS shows soon whether it exists.`,
        )
    },

    async drop(who: Who, view: ViewRow): Promise<void> {
      beingDropped.add(view.view_id)
      try {
        await dropAlone(who, view)
      } finally {
        beingDropped.delete(view.view_id)
      }
    },

    /** A view whose creation a server has not seen to its end. */
    async resumeMaking(view: ViewRow, run: RunRow): Promise<void> {
      await make(view, run, { who: null })
    },

    async finishDrops(): Promise<void> {
      for (const view of await views.dropping(MOST_UNFINISHED)) {
        if (beingDropped.has(view.view_id)) continue
        const outcome = await dropTable(view).catch(() => null)
        if (outcome?.state === 'finished') await forget(view, null)
        else log.warn({ viewId: view.view_id }, 'a materialized view is not dropped yet')
      }
    },
  }
}
