import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { type Payer, payerOf } from './payer-store.ts'

/** Bills and cards are for administrators of the root account. */
export async function requireRoot(db: Kysely<Schema>, actor: Actor): Promise<Payer> {
  const payer = await payerOf(db, actor.accountId)
  if (payer.rootAccountId !== actor.accountId)
    throw new AppError(
      'NoPermission',
      'The root account of the organisation pays for all accounts. Sign in to it to see its bills.',
    )
  return payer
}
