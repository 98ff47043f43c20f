import type { RefreshChoice } from '@boathouse/sql'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { nextOf, refreshText, timesOf } from './refresh-times.ts'
import { pathOf, type TaskParts, type Who } from './task-parts.ts'
import type { ViewPlace, ViewRow } from './view-store.ts'
import type { ViewLookup } from './view-lookup.ts'
import type { AnnounceChange } from './refresh-end.ts'

interface Alteration {
  readonly change: Parameters<TaskParts['views']['change']>[2]
  readonly action: string
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

/** Changes of the definition alone, each with its entry in the audit log. */
export function createViewChanges(
  parts: TaskParts,
  { findFor, announceChange }: Pick<ViewLookup, 'findFor'> & { announceChange: AnnounceChange },
) {
  const { views, known, authority, transaction, clock } = parts

  /** A change of the definition alone, with its entry in the audit log. */
  async function alter(
    who: Who,
    view: ViewRow,
    { change, action, before, after }: Alteration,
  ): Promise<void> {
    await transaction(async (trx) => {
      await views.change(trx, view.view_id, change)
      await recordAudit(trx, {
        accountId: view.account_id,
        at: clock.now(),
        by: userAuthor(who),
        action: `materialized_view.${action}`,
        object: { type: 'materialized_view', id: view.view_id, name: pathOf(view) },
        before,
        after,
      })
    })
    known.forget(view.account_id)
    await announceChange(view)
  }

  /** What its query uses by now is what its owner, or a database administrator, wants it to use. */
  async function confirm(who: Who, view: ViewRow): Promise<void> {
    if (view.owner_id !== who.actor.userId && !authority.holdsAll(who.actor)) return
    await transaction(async (trx) => {
      await views.confirm(trx, view.view_id)
      await recordAudit(trx, {
        accountId: view.account_id,
        at: clock.now(),
        by: userAuthor(who),
        action: 'materialized_view.confirm',
        object: { type: 'materialized_view', id: view.view_id, name: pathOf(view) },
        before: null,
        after: null,
      })
    })
  }

  return {
    async pause(who: Who, place: ViewPlace, paused: boolean): Promise<void> {
      const view = await findFor(who.actor, place, 'ALTER')
      if (!paused) await confirm(who, view)
      if (view.paused === paused) return
      const now = clock.now()
      const next = view.changed_at === null ? nextOf(view, now) : now
      await alter(who, view, {
        change: { paused, ...(paused ? {} : { next_refresh_at: view.trigger === 'manual' ? null : next }) },
        action: paused ? 'pause' : 'resume',
        before: { paused: view.paused },
        after: { paused },
      })
    },

    async changeRefresh(who: Who, place: ViewPlace, choice: RefreshChoice): Promise<void> {
      const view = await findFor(who.actor, place, 'ALTER')
      const now = clock.now()
      const times = timesOf(choice, new Date(Math.floor(now.getTime() / 1_000) * 1_000))
      // Changes before this moment were not recorded, so it is refreshed now.
      const next = times.trigger === 'changes' ? now : nextOf(times, now)
      await alter(who, view, {
        change: { ...times, next_refresh_at: next },
        action: 'refresh',
        before: { refresh: refreshText(view) },
        after: { refresh: refreshText(times) },
      })
    },

    async comment(who: Who, place: ViewPlace, comment: string): Promise<void> {
      const view = await findFor(who.actor, place, 'ALTER')
      await alter(who, view, {
        change: { comment },
        action: 'comment',
        before: { comment: view.comment },
        after: { comment },
      })
    },
  }
}
