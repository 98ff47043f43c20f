import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import type { PeopleStore } from '../user/people-with-roles-store.ts'
import type { Holders } from './holders.ts'

/** An account keeps somebody who can administer it. */
export function createLastAdministrator({
  people,
  holders,
}: {
  people: Pick<PeopleStore, 'withAnyRole'>
  holders: Holders
}) {
  return {
    /** Before the role itself is taken: someone else must be left who can give it back. */
    async requireOther(trx: Transaction<Schema>, accountId: string, userId: string): Promise<void> {
      const admins = await people.withAnyRole(trx, accountId, ['account_admin', 'org_admin'])
      if (admins.some(({ user_id }) => user_id !== userId)) return
      throw new AppError(
        'Conflict',
        'This is the last administrator of the account. Grant another user the role account_admin first.',
      )
    },

    /** After whatever may have taken it, by any path: somebody is left who can sign in. */
    async requireLeft(trx: Transaction<Schema>, accountId: string): Promise<void> {
      const admins = await holders(trx, accountId, 'account_admin')
      if (admins.some((one) => one.has_password)) return
      throw new AppError(
        'Conflict',
        'This would leave the account without an administrator. First grant the role account_admin to another user who can sign in.',
      )
    },
  }
}

export type LastAdministrator = ReturnType<typeof createLastAdministrator>
