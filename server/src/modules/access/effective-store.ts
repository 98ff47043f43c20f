import { type Kysely, sql } from 'kysely'
import { catalogName } from '../../store/catalog-ids.ts'
import { likeText } from '../../store/page.ts'
import type { Schema } from '../../store/schema.ts'
import { folded, GRANT_COLUMNS, type GrantRow, heldBy } from './grant-store.ts'

export const createEffectiveStore = (db: Kysely<Schema>) => ({
  /** All that a user and these roles hold, object by object. */
  async allGrantsOf(
    accountId: string,
    holder: { userId: string; roles: readonly string[] },
    { search, offset, limit }: { search: string; offset: number; limit: number },
  ) {
    const matching = db
      .selectFrom('grants')
      .where(heldBy(accountId, holder))
      .$if(search !== '', (all) =>
        all.where(
          sql<boolean>`lower(object_type || ' ' || ${catalogName('grants')} || '.' || database || '.' || name || ' ' || coalesce(role, '')) like ${likeText(search)}`,
        ),
      )
    const { total } = await matching
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows =
      limit === 0
        ? []
        : await matching
            .select([...GRANT_COLUMNS, 'grants.role'])
            .orderBy('object_type')
            .orderBy(sql`lower(${catalogName('grants')})`)
            .orderBy(folded('database'))
            .orderBy(folded('name'))
            .orderBy('grant_id')
            .offset(offset)
            .limit(limit)
            .execute()
    return { list: rows as (GrantRow & { readonly role: string | null })[], total }
  },
})
