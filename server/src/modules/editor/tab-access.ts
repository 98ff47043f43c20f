import { type QueryAccess, SHARE_LEVELS, type ShareLevel } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { noSuchTab } from './bin.ts'
import type { FullTabRow } from './present-tab.ts'
import type { Reader } from './shared-tabs-store.ts'
import type { EditorQueries } from './store.ts'

/** A saved query with what the one who asked may do with it. */
export type SeenTab = FullTabRow & { readonly access: QueryAccess; readonly owner: string }

const RANK: Readonly<Record<QueryAccess, number>> = { see: 1, run: 2, edit: 3, own: 4 }

export const rankOf = (level: ShareLevel): number => RANK[level]

/** As it is kept. */
export const levelOf = (rank: number): ShareLevel => SHARE_LEVELS[rank - 1] ?? 'see'

export const readerOf = ({ accountId, userId, activeRoles }: Actor): Reader => ({
  accountId,
  userId,
  // Everyone holds it, also where it is not written down.
  roles: [...activeRoles, 'public'],
})

const MAY: Readonly<Record<ShareLevel, string>> = {
  see: 'read it',
  run: 'read and run it',
  edit: 'read, run and change it',
}

/** The user's own, or one that is shared with them at this moment. To all others it does not exist. */
export async function findTab(
  queries: Pick<EditorQueries, 'find' | 'findShared'>,
  actor: Actor,
  tabId: string,
): Promise<SeenTab> {
  const own = await queries.find(actor.userId, tabId)
  if (own) return { ...own, access: 'own', owner: actor.user }
  const { level, ...shared } = (await queries.findShared(readerOf(actor), tabId)) ?? { level: null }
  if (level === null || !('tab_id' in shared)) throw noSuchTab()
  return { ...shared, access: levelOf(level) }
}

/** Refuses unless they may do this much with it. */
export function requireAccess(tab: SeenTab, needed: ShareLevel): void {
  const { access, owner } = tab
  if (access === 'own' || RANK[access] >= RANK[needed]) return
  throw new AppError(
    'NoPermission',
    `You may ${MAY[access]}, not ${needed === 'run' ? 'run' : 'change'} it. Save a copy, or ask ${owner}, who shared it.`,
  )
}
