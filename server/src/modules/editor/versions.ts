import { LIMITS, type QueryVersion } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { FullTabRow } from './present-tab.ts'
import type { EditorQueries, EditorStore } from './store.ts'
import { requireAccess, type SeenTab } from './tab-access.ts'
import type { VersionText } from './version-store.ts'

/** What a user writes within this time is one version, unless it was run or named. */
export const ONE_VERSION_MS = 5 * 60_000

const noSuchVersion = () => new AppError('NotFound', 'This version does not exist, or it was removed.')

async function bound(own: EditorQueries, { tabId, userId }: VersionText): Promise<void> {
  await own.forgetVersions({ tabId }, { count: LIMITS.versions, bytes: LIMITS.versionBytes })
  await own.forgetVersions({ userId }, { count: LIMITS.userVersions, bytes: LIMITS.userVersionBytes })
}

interface KeptVersion {
  readonly text: VersionText
  readonly before: FullTabRow
  /** A version of its own, whatever is before it. */
  readonly isNew: boolean
  /** Several write at once: their changes are one version, or each would be one. */
  readonly isTogether?: boolean
}

/**
 * In the transaction that saves the text, and behind the lock of its query: there is no text without its version, and two
 * at the same moment are two in their order.
 */
export async function keepVersion(
  own: EditorQueries,
  { text, before, isNew, isTogether = false }: KeptVersion,
): Promise<void> {
  const latest = await own.latestVersion(text.tabId)
  // The text that the query began with is a version as well.
  if (!latest && before.sql !== '')
    await own.insertVersion({
      ...text,
      userId: before.user_id,
      sql: before.sql,
      revision: before.revision,
      at: before.updated_at,
    })
  const isContinued =
    !isNew &&
    latest !== undefined &&
    (isTogether || latest.user_id === text.userId) &&
    latest.name === null &&
    latest.ran_at === null &&
    text.at.getTime() - latest.begun_at.getTime() < ONE_VERSION_MS
  if (isContinued) return void (await own.continueVersion(latest.version_id, text))
  await own.insertVersion(text)
  await bound(own, text)
}

interface Parts {
  readonly store: EditorStore
  readonly clock: Clock
  readonly find: (actor: Actor, tabId: string, queries?: EditorQueries) => Promise<SeenTab>
  readonly save: (
    actor: Actor,
    change: { tabId: string; sql: string; revision: number },
    isNew: boolean,
  ) => Promise<{ revision: number }>
}

/** The texts that a saved query had, for those who may read the query. */
export function createVersions({ store, clock, find, save }: Parts) {
  async function textOf(actor: Actor, { tabId, versionId }: { tabId: string; versionId: string }) {
    await find(actor, tabId)
    const version = await store.versionText(tabId, versionId)
    if (!version) throw noSuchVersion()
    return { sql: version.sql }
  }

  return {
    async list(actor: Actor, { tabId, ...page }: { tabId: string; offset: number; limit: number }) {
      await find(actor, tabId)
      const rows = await store.versions(tabId, page)
      const list = rows.map((row): QueryVersion => ({
        versionId: row.version_id,
        name: row.name ?? '',
        userName: row.user_name ?? '',
        savedAt: row.saved_at.toISOString(),
        ranAt: row.ran_at?.toISOString() ?? '',
        characters: row.characters,
      }))
      return { list, total: (await store.countVersions(tabId)).all }
    },

    textOf,

    async name(actor: Actor, { tabId, versionId, name }: { tabId: string; versionId: string; name: string }) {
      await store.together(async (own) => {
        const tab = await find(actor, tabId, own)
        requireAccess(tab, 'edit')
        await own.lockTab(tab.user_id, tabId)
        const version = await own.versionText(tabId, versionId)
        if (!version) throw noSuchVersion()
        const isOneMore = name !== '' && version.name === null
        if (isOneMore && (await own.countVersions(tabId)).named >= LIMITS.namedVersions)
          throw new AppError(
            'LimitReached',
            `This query has ${LIMITS.namedVersions} named versions, the maximum. Remove the name of one.`,
          )
        await own.nameVersion(versionId, name === '' ? null : name)
      })
    },

    async restore(actor: Actor, asked: { tabId: string; versionId: string; revision: number }) {
      const { sql } = await textOf(actor, asked)
      const { revision } = await save(actor, { tabId: asked.tabId, sql, revision: asked.revision }, true)
      return { sql, revision }
    },

    /** A sample has no versions, and a text that is newer than the run is not marked for it. */
    async markRun(actor: Actor, { tabId, revision }: { tabId: string; revision: number }) {
      await store.together(async (own) => {
        const seen = await find(actor, tabId, own)
        requireAccess(seen, 'run')
        // Who owns it never changes, and what it is now is known behind the lock.
        const tab = (await own.lockTab(seen.user_id, tabId)) ?? seen
        const latest = await own.latestVersion(tabId)
        const isMissing = !tab.sample && tab.revision === revision && latest?.revision !== revision
        if (isMissing) {
          // It was never changed, so that it is the owner's.
          const text = { tabId, userId: tab.user_id, revision, sql: tab.sql, at: tab.updated_at }
          await own.insertVersion(text)
          await bound(own, text)
        }
        await own.markVersion(tabId, revision, clock.now())
        if (seen.access === 'own' && tab.revision === revision && tab.changed_by_others)
          await own.confirmChanges(tab.user_id, tabId)
      })
    },
  }
}
