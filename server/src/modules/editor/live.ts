import {
  type Input,
  LIMITS,
  type liveCalls,
  type Output,
  type TextChange,
  type TextUpdate,
} from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EditorQueries, EditorStore } from './store.ts'
import type { SeenTab } from './tab-access.ts'
import { readOnly } from './tab-saving.ts'
import { applyChanges } from './text-change.ts'
import { keepVersion } from './versions.ts'

type Pushed = Input<typeof liveCalls.pushChanges>
type Answer = Output<typeof liveCalls.pushChanges>

interface Parts {
  readonly store: EditorStore
  readonly clock: Clock
  readonly find: (actor: Actor, tabId: string) => Promise<SeenTab>
  /** A change by those who may edit, undone when the owner has no room for it. */
  readonly grown: <T>(
    actor: Actor,
    tabId: string,
    work: (own: EditorQueries, tab: SeenTab) => Promise<T>,
  ) => Promise<T>
  readonly textChanged: (tab: SeenTab, revision: number) => Promise<void>
}

/** What somebody at this revision has missed. Without gaps, or they must fetch the whole text. */
async function missed(queries: EditorQueries, tab: SeenTab, revision: number): Promise<Answer> {
  const rows = await queries.updatesSince(tab.tab_id, revision, LIMITS.liveUpdates)
  const isWhole = rows.every((row, at) => row.revision === revision + 1 + at)
  const isStale = revision > tab.revision || !isWhole || (rows.length === 0 && revision < tab.revision)
  const updates = rows.map((row): TextUpdate => ({
    clientId: row.client_id,
    changes: JSON.parse(row.changes) as TextChange,
  }))
  return { isAccepted: false, isStale, updates: isStale ? [] : updates }
}

/** Several people change one text: the service puts their changes in an order, which all of them follow. */
export function createLive({ store, clock, find, grown, textChanged }: Parts) {
  async function accept(
    own: EditorQueries,
    tab: SeenTab,
    { actor, pushed }: { actor: Actor; pushed: Pushed },
  ): Promise<number | null> {
    const { tabId, clientId, revision, changes } = pushed
    const before = await own.find(tab.user_id, tabId)
    if (!before || before.revision !== revision) return null
    const sql = await applyChanges(before.sql, changes)
    // What the database cannot hold would not be the text that the others have.
    if (/[\p{Surrogate}\0]/u.test(sql))
      throw new AppError('BadInput', 'The text has a character that cannot be saved.')
    const text = { tabId, userId: actor.userId, sql, revision, at: clock.now() }
    const updated = await own.updateSql(tab.user_id, text, changes.length)
    if (!updated) throw readOnly()
    await own.insertUpdates(
      tabId,
      revision + 1,
      changes.map((change) => ({ clientId, changes: change })),
    )
    await keepVersion(own, {
      text: { ...text, revision: updated.revision },
      before,
      isNew: false,
      isTogether: true,
    })
    return updated.revision
  }

  return {
    async push(actor: Actor, pushed: Pushed): Promise<Answer> {
      const { tabId, clientId, revision, changes } = pushed
      if (changes.length === 0) return missed(store, await find(actor, tabId), revision)
      const done = await grown(actor, tabId, async (own, tab) => {
        const accepted = await accept(own, tab, { actor, pushed })
        if (accepted !== null) return { tab, accepted, answer: null }
        // Behind the lock: what the tab was before it may be old.
        const now = (await own.find(tab.user_id, tabId)) ?? tab
        return { tab, accepted, answer: await missed(own, { ...tab, revision: now.revision }, revision) }
      })
      if (done.answer) return done.answer
      await textChanged(done.tab, done.accepted)
      const updates = changes.map((change) => ({ clientId, changes: change }))
      return { isAccepted: true, isStale: false, updates }
    },
  }
}
