import type { StatementKind } from '@boathouse/sql'
import type { Transaction } from 'kysely'
import { catalogIdOf } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'

/** Statements by which a connection comes to stand in a catalog. */
export const ENTERING: readonly StatementKind[] = ['use-database', 'set-catalog']

/** How many statements that stand in a catalog wait or run, or may be entering it, but for the one that renames it. */
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
    .where(({ or, and, eb }) =>
      or([
        eb('catalog_id', '=', catalogIdOf(accountId, catalog)),
        // They are written down with the one from which they come.
        and([eb('kind', 'in', ENTERING), eb('state', '=', 'running')]),
      ]),
    )
    .where('kind', '<>', 'alter-catalog')
    .executeTakeFirstOrThrow()
  return count
}
