import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { Author } from '../audit/author.ts'
import { moveAccountsOf, setContract } from '../org/money.ts'
import { invoiceBeingCharged, leaveToContract } from './invoice-store.ts'

export interface ContractOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly onMoved: (accountIds: readonly string[]) => void
}

/** Organisations that pay by contract. The operator creates them, because people agree on a contract. */
export function createContracts({ db, clock, onMoved }: ContractOptions) {
  return {
    /** No card is required or charged any more, and accounts that were frozen without one are resumed. */
    async begin(organisationId: string, by: Author): Promise<{ resumed: string[] }> {
      const resumed = await db.transaction().execute(async (trx) => {
        const at = clock.now()
        const order = { organisationId, by, at }
        await setContract(trx, { ...order, isContract: true })
        await leaveToContract(trx, organisationId)
        const number = await invoiceBeingCharged(trx, organisationId)
        if (number !== undefined)
          throw new AppError(
            'Conflict',
            `A card is being charged for the invoice ${number} at this moment. Try again in a minute.`,
          )
        return moveAccountsOf(trx, { ...order, move: 'resume', frozenFor: ['trial ended', 'unpaid'] })
      })
      onMoved(resumed)
      return { resumed }
    },

    /** The next invoice is charged to a card again; those before it stay as they are. */
    async end(organisationId: string, by: Author): Promise<void> {
      await db
        .transaction()
        .execute((trx) => setContract(trx, { organisationId, by, at: clock.now(), isContract: false }))
    },
  }
}
