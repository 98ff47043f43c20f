import { LIMITS } from '@boathouse/contract'
import { readStatement } from '@boathouse/sql'
import type { Transaction } from 'kysely'
import { refuseNarrowedKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { requireShare } from '../../kernel/share.ts'
import { requireKeptRoom } from '../quota/room.ts'
import type { Schema } from '../../store/schema.ts'
import { SERVICE, userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { Refreshing } from './refreshing.ts'
import { runOf } from './refresh-run.ts'
import type { RunRow } from './run-store.ts'
import type { RunEnd } from './runs.ts'
import { accessOf, pathOf, type TaskParts, type Who } from './task-parts.ts'
import type { ViewRow } from './view-store.ts'
import { type NewView, rowOf } from './new-view.ts'

const SHARE = {
  mostOfAccount: LIMITS.materializedViewsPerAccount,
  mostOfUser: LIMITS.materializedViewsPerUser,
  what: 'materialized views',
  how: 'Drop one that is no longer needed, then create this one.',
}

/** Creates materialized views. A view is written down first, so that after a crash it is finished or removed. */
export function createCreating(
  parts: TaskParts,
  refreshing: Pick<Refreshing, 'readsOf' | 'statementFor' | 'writeEnd'>,
) {
  const { views, runStore, runs, known, authority, transaction, clock } = parts

  /** Reserves the name and the user's share before anything runs. */
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

  /** Its table exists: it becomes visible, and its creator gets all privileges on it. */
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

  /** A view exists only if its table does. */
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

  return {
    /** With its rows, unless it is deferred. When this fails, nothing is left. */
    async create(who: Who, asked: NewView): Promise<void> {
      refuseNarrowedKey(who.actor)
      const kind = readStatement(asked.query).kind
      if (kind !== 'select')
        throw new AppError('QueryFailed', 'A materialized view needs a query. Write SELECT after AS.')
      const view = rowOf(who, asked, clock.now())
      const definition = await refreshing.statementFor(view, asked.deferred ? 'empty' : 'new')
      const run = runOf(view, { at: clock.now(), reason: 'create', definition, by: who.actor.user })
      await reserve(view, run)
      const end = await make(view, run, { who, stop: asked.stop })
      if (end.state === 'failed') throw new AppError(end.code, end.error)
      if (end.state === 'open')
        throw new AppError(
          'Interrupted',
          `The engine ended while ${pathOf(view)} was created. SHOW MATERIALIZED VIEWS shows soon whether it exists.`,
        )
    },

    /** Completes a creation that another server began. */
    async resume(view: ViewRow, run: RunRow): Promise<void> {
      await make(view, run, { who: null })
    },
  }
}
