import { type DeletedTab, type EditorTab, LIMITS } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { inBatches } from '../../store/in-batches.ts'
import type { EditorQueries, EditorStore } from './store.ts'
import { presentTab } from './present-tab.ts'
import type { SeenTab } from './tab-access.ts'

const DAY_MS = 24 * 3_600_000

export const noSuchTab = () => new AppError('NotFound', 'This query does not exist, or it was deleted.')

export async function refuseTooMany(own: EditorQueries, actor: Actor): Promise<void> {
  if ((await own.countTabs(actor.userId)) >= LIMITS.savedQueries)
    throw new AppError(
      'LimitReached',
      `You have ${LIMITS.savedQueries} saved queries, the maximum. Delete some.`,
    )
}

/** Deleted queries, which can be restored until they are removed permanently. */
export function createBin({
  store,
  clock,
  changed,
  find,
}: {
  store: EditorStore
  clock: Clock
  changed: (actor: Actor) => void
  find: (actor: Actor, tabId: string) => Promise<SeenTab>
}) {
  return {
    async deleteTabs(actor: Actor, tabIds: readonly string[]) {
      const deleted = await store.alone(actor.userId, async (own) => {
        const count = await own.throwAway(actor.userId, tabIds, clock.now())
        await own.forgetBeyond(actor.userId, LIMITS.binQueries)
        return count
      })
      changed(actor)
      return { deleted }
    },

    async listDeletedTabs(actor: Actor, page: { offset: number; limit: number }) {
      const rows = await store.deleted(actor.userId, page)
      const list = rows.map((row): DeletedTab => ({
        tabId: row.tab_id,
        tabName: row.name,
        sql: row.sql,
        deletedAt: row.deleted_at?.toISOString() ?? '',
      }))
      return { list, total: await store.countDeleted(actor.userId) }
    },

    async restoreTab(actor: Actor, tabId: string): Promise<EditorTab> {
      await store.alone(actor.userId, async (own) => {
        await refuseTooMany(own, actor)
        if (!(await own.restore(actor.userId, tabId))) throw noSuchTab()
      })
      changed(actor)
      return presentTab(await find(actor, tabId))
    },

    /** Permanently. */
    async emptyBin(actor: Actor, tabIds?: readonly string[]) {
      const deleted = await store.emptyBin(actor.userId, tabIds)
      changed(actor)
      return { deleted }
    },

    emptyBins: () => {
      const before = new Date(clock.now().getTime() - LIMITS.binDays * DAY_MS)
      return inBatches((most) => store.forgetDeletedBefore(before, most))
    },
  }
}
