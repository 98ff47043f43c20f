import { LIFE_CYCLE_STATES, IDENTITY_MESSAGES } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { AccountRow } from './account-store.ts'
import { moveAccount } from './move-account.ts'
import type { OrgOptions, From } from './service.ts'
import type { OrgStore } from './store.ts'

function requireReleasable(row: AccountRow, rootId: string | null): void {
  if (row.account_id === rootId) throw new AppError('Conflict', IDENTITY_MESSAGES.rootAccountStays)
  if (row.state === LIFE_CYCLE_STATES.Deleting)
    throw new AppError('Conflict', `The account ${row.name} is already being deleted.`)
}

/** The account, if the user can see it. */
type FindAccount = (actor: Actor, accountId: string) => Promise<{ row: AccountRow; rootId: string | null }>

/** Deletes accounts at the request of their administrators. */
export function createRelease(
  { db, clock, links, mails, placeOf, onMoved }: OrgOptions,
  { store, find }: { store: Pick<OrgStore, 'emailOf'>; find: FindAccount },
) {
  return {
    /** Nothing happens to the account until the mailed link is used. */
    async askForRelease(from: From, accountId: string, phrase: string): Promise<{ mailedTo: string }> {
      const { actor } = from
      const { row, rootId } = await find(actor, accountId)
      requireReleasable(row, rootId)
      if (phrase !== row.name) throw new AppError('BadInput', `phrase: ${IDENTITY_MESSAGES.deletionPhrase}`)
      const mailedTo = await store.emailOf(actor.accountId, actor.user)
      if (mailedTo === '')
        throw new AppError(
          'Conflict',
          'The deletion is confirmed by mail, and you have no mail address. Add one in your profile first.',
        )
      await db.transaction().execute(async (trx) => {
        const token = await links.create(trx, {
          purpose: 'accountDeletion',
          subject: accountId,
          accountId: actor.accountId,
        })
        const page = `/${placeOf({}).region}/${actor.accountId}/admin/account`
        await mails.write(trx, {
          to: mailedTo,
          accountId: actor.accountId,
          kind: 'deletionConfirmation',
          details: { accountId, accountName: row.name, path: `${page}?release=${token}` },
        })
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(from),
          action: 'account.ask-release',
          object: { type: 'account', id: accountId, name: row.name },
          before: null,
          after: { mailedTo },
        })
      })
      return { mailedTo }
    },

    async confirmRelease(from: From, token: string): Promise<{ accountId: string; name: string }> {
      const { row, rootId } = await find(from.actor, await links.look('accountDeletion', token))
      requireReleasable(row, rootId)
      await db.transaction().execute(async (trx) => {
        const accountId = await links.take(trx, 'accountDeletion', token)
        await moveAccount(trx, { accountId, move: 'release', by: userAuthor(from), at: clock.now() })
      })
      onMoved([row.account_id])
      return { accountId: row.account_id, name: row.name }
    },
  }
}
