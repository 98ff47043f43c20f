import type { EditorTab } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EditorQueries, EditorStore } from './store.ts'
import { requireAccess, type SeenTab } from './tab-access.ts'
import { changeBetween } from './text-change.ts'
import { keepVersion } from './versions.ts'

export type TextSave = Pick<EditorTab, 'tabId' | 'sql' | 'revision'>

export const readOnly = () =>
  new AppError('ReadOnly', 'This query is a sample and read-only. Save your text as a copy.')

interface Parts {
  readonly store: EditorStore
  readonly clock: Clock
  readonly find: (actor: Actor, tabId: string, queries?: EditorQueries) => Promise<SeenTab>
  /** Its owner, and all who have it open, are notified. */
  readonly textChanged: (tab: SeenTab, revision: number) => Promise<void>
}

/** Changes of what a saved query says, by its owner and by those who may edit it. */
export function createTabSaving({ store, clock, find, textChanged }: Parts) {
  /**
   * A change of one tab, by those who may edit it. It is undone when the tab is larger for it than its owner has room; one
   * that makes it smaller never.
   */
  const grown = <T>(
    actor: Actor,
    tabId: string,
    work: (own: EditorQueries, tab: SeenTab) => Promise<T>,
  ): Promise<T> =>
    store.together(async (own) => {
      const tab = await find(actor, tabId, own)
      requireAccess(tab, 'edit')
      const { user_id: userId, account_id: accountId } = tab
      const before = await own.bytesOf(userId, tabId)
      const done = await work(own, tab)
      if ((await own.bytesOf(userId, tabId)) > before) await own.requireQuota({ accountId, userId })
      return done
    })

  async function changeUnlessSample(
    actor: Actor,
    tabId: string,
    work: (own: EditorQueries, tab: SeenTab) => Promise<boolean>,
  ): Promise<void> {
    if (!(await grown(actor, tabId, work))) throw readOnly()
  }

  /** Only over the revision that the client has seen. With `isNew`, the text is a version of its own. */
  async function save(actor: Actor, change: TextSave, isNew: boolean) {
    const text = { ...change, userId: actor.userId, at: clock.now() }
    const saved = await grown(actor, change.tabId, async (own, tab) => {
      const before = await own.find(tab.user_id, change.tabId)
      const updated = await own.updateSql(tab.user_id, text)
      if (before && updated && (await own.isLive(change.tabId)))
        await own.insertUpdates(change.tabId, updated.revision, [
          { clientId: '', changes: changeBetween(before.sql, text.sql) },
        ])
      if (before && updated && before.sql !== text.sql)
        await keepVersion(own, { text: { ...text, revision: updated.revision }, before, isNew })
      return updated && { tab, revision: updated.revision }
    })
    if (saved) {
      await textChanged(saved.tab, saved.revision)
      return { revision: saved.revision }
    }
    const stored = await find(actor, change.tabId)
    // A save whose answer was lost comes again: the text is already there.
    if (stored.sql === change.sql) return { revision: stored.revision }
    if (stored.sample) throw readOnly()
    throw new AppError('Conflict', 'This query was changed elsewhere since you opened it.')
  }

  return { grown, changeUnlessSample, save }
}
