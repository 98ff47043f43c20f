import { randomUUID } from 'node:crypto'
import {
  type Input,
  LIMITS,
  type Share,
  type shareCalls,
  type SharedObject,
  type SharedQuery,
  type SharePartner,
} from '@boathouse/contract'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { userAuthor } from '../audit/author.ts'
import type { AuditEvent } from '../audit/record.ts'
import type { PartnerColumns } from './share-store.ts'
import type { EditorStore, OwnQueries } from './store.ts'
import { levelOf, rankOf, readerOf } from './tab-access.ts'

type From = Pick<Caller, 'clientIp'> & { readonly actor: Actor }
type Kept = { readonly share_id: string; readonly level: number }

interface Parts {
  readonly store: EditorStore
  readonly clock: Clock
  /** The lists of saved queries of these users are no longer true. */
  readonly changedFor: (accountId: string, userIds: readonly string[]) => void
  readonly accessChanged: () => void
}

/** More have it open than one message reaches; the others see it with their next call. */
export const MOST_NOTIFIED = 1_000

const noSuchObject = ({ kind }: SharedObject) =>
  new AppError('NotFound', `This ${kind} does not exist, it was deleted, or it is not yours.`)

const noSuchPartner = ({ kind, name }: SharePartner) =>
  new AppError('NotFound', `There is no ${kind} ${name} in this account.`)

/** Lets others see, run or edit a saved query, or all that is in a folder. Only its owner can. */
export function createSharing({ store, clock, changedFor, accessChanged }: Parts) {
  const openOf = ({ kind, id }: SharedObject) =>
    store.readersOf(kind === 'query' ? { tabId: id } : { folderId: id }, MOST_NOTIFIED)

  async function notify(actor: Actor, of: SharedObject, partner: PartnerColumns): Promise<void> {
    const readers = await openOf(of)
    const users = new Set([actor.userId, ...readers, ...(partner.user_id ? [partner.user_id] : [])])
    changedFor(actor.accountId, [...users])
  }

  /** One change of a user's shares at a time, with the names that the audit log needs. */
  async function change(
    from: From,
    { of, partner }: { of: SharedObject; partner: SharePartner },
    work: (
      own: OwnQueries,
      columns: PartnerColumns,
      before: Kept | undefined,
    ) => Promise<Pick<AuditEvent, 'action' | 'after'>>,
  ): Promise<void> {
    const { actor } = from
    const columns = await store.alone(actor.userId, async (own) => {
      const name = await own.ownName(actor.userId, of)
      if (name === undefined) throw noSuchObject(of)
      const found = await own.findPartner(actor.accountId, partner)
      if (!found) throw noSuchPartner(partner)
      const before = await own.findShare(of, found)
      const done = await work(own, found, before)
      const noted = before && { ...partner, level: levelOf(before.level) }
      await own.recordAudit({
        accountId: actor.accountId,
        at: clock.now(),
        by: userAuthor(from),
        object: { type: of.kind === 'query' ? 'saved_query' : 'query_folder', id: of.id, name },
        before: noted ?? null,
        ...done,
      })
      return found
    })
    accessChanged()
    await notify(actor, of, columns)
  }

  return {
    share: (from: From, input: Input<typeof shareCalls.share>): Promise<void> =>
      change(from, input, async (own, columns, before) => {
        const { of, partner } = input
        if (columns.user_id === from.actor.userId)
          throw new AppError('BadInput', 'This is your own. Choose another user, or a role.')
        const level = rankOf(input.level)
        if (before) await own.changeShare(before.share_id, level)
        else {
          if ((await own.countShares(of)) >= LIMITS.queryShares)
            throw new AppError(
              'LimitReached',
              `It is shared with ${LIMITS.queryShares} users and roles, the maximum. Share it with a role that they have.`,
            )
          const { accountId } = from.actor
          const made = { share_id: randomUUID(), account_id: accountId, level, created_at: clock.now() }
          await own.insertShare(of, { ...columns, ...made })
        }
        return { action: 'query.share', after: { ...partner, level: input.level } }
      }),

    unshare: (from: From, input: Input<typeof shareCalls.unshare>): Promise<void> =>
      change(from, input, async (own, _, before) => {
        if (!before) throw new AppError('NotFound', `It is not shared with ${input.partner.name}.`)
        await own.deleteShare(before.share_id)
        return { action: 'query.unshare', after: null }
      }),

    async shares({ userId }: Actor, of: SharedObject): Promise<{ list: Share[] }> {
      if ((await store.ownName(userId, of)) === undefined) throw noSuchObject(of)
      const rows = await store.shares(of)
      const list = rows.map((row): Share => ({
        partner: { kind: row.role === null ? 'user' : 'role', name: row.role ?? row.user_name ?? '' },
        level: levelOf(row.level),
        folderName: row.folder_name ?? '',
      }))
      return { list }
    },

    partners: async (actor: Actor, search: string): Promise<{ list: SharePartner[] }> => ({
      list: (await store.partners(actor, search, LIMITS.sharePartners)).slice(0, 2 * LIMITS.sharePartners),
    }),

    async sharedWithMe(actor: Actor, page: { search: string; offset: number; limit: number }) {
      const reader = readerOf(actor)
      const rows = await store.sharedWith(reader, page)
      const list = rows.map((row): SharedQuery => ({
        tabId: row.tab_id,
        tabName: row.name,
        owner: row.owner,
        folderName: row.path ?? '',
        access: levelOf(row.level),
        changedAt: row.updated_at.toISOString(),
      }))
      return { list, total: await store.countSharedWith(reader, page.search) }
    },
  }
}
