import type { Outcome } from '../../engines/engine/outcome.ts'
import { AppError } from '../../kernel/app-error.ts'
import { SERVICE, userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { createLooking } from '../schema/objects/looking.ts'
import { accessOf, pathOf, type TaskParts, type Who } from './task-parts.ts'
import type { ViewRow } from './view-store.ts'
import type { AnnounceChange } from './refresh-end.ts'

const MOST_UNFINISHED = 100

/** Drops materialized views. A drop is written down first, so that it is finished after a crash. */
export function createDropping(parts: TaskParts, announceChange: AnnounceChange) {
  const { views, runStore, runs, known, transaction, clock, log } = parts
  const look = createLooking({ useServiceEngine: parts.useServiceEngine })
  /** By this server, now. */
  const beingDropped = new Set<string>()

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
    await announceChange(view)
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
    async drop(who: Who, view: ViewRow): Promise<void> {
      beingDropped.add(view.view_id)
      try {
        await dropAlone(who, view)
      } finally {
        beingDropped.delete(view.view_id)
      }
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
