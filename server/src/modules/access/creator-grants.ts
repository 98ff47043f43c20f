import { type AccessObject, PRIVILEGES } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { AccessStore } from './store.ts'

export type GrantToCreator = (
  trx: Transaction<Schema>,
  creator: Pick<Actor, 'accountId' | 'userId' | 'user'>,
  object: AccessObject,
) => Promise<void>

/** The creator of an object gets all privileges on it with the grant option, in the transaction that publishes it. */
export const createGrantToCreator =
  ({
    store,
    clock,
  }: {
    store: Pick<AccessStore, 'findGiven' | 'putGiven' | 'isUser'>
    clock: Clock
  }): GrantToCreator =>
  async (trx, { accountId, userId, user }, object) => {
    // Removed while it was being made: it is left to the administrators.
    if (!(await store.isUser(trx, userId))) return
    const privileges = [...PRIVILEGES[object.type]].sort()
    const key = { userId }
    const before = await store.findGiven(trx, accountId, { key, object })
    await store.putGiven(trx, accountId, {
      ...object,
      grantId: before?.grantId ?? null,
      key,
      isCreator: true,
      sources: [{ grantorId: null, privileges, grantable: privileges }],
      grantedBy: user,
      grantedAt: clock.now(),
    })
  }
