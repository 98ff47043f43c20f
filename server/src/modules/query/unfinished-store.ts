import type { Transaction } from 'kysely'
import { catalogIdOf } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'

/** How many statements that stand in a catalog wait or run, but for the one that renames it. */
export async function unfinishedIn(
  trx: Transaction<Schema>,
  accountId: string,
  catalog: string,
): Promise<number> {
  const { count } = await trx
    .selectFrom('statements')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', 'in', ['accepted', 'running'])
    .where('account_id', '=', accountId)
    .where('catalog_id', '=', catalogIdOf(accountId, catalog))
    .where('kind', '<>', 'alter-catalog')
    .executeTakeFirstOrThrow()
  return count
}
