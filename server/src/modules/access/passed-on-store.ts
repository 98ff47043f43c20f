import type { AccessObject, Privilege } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { GRANT_COLUMNS, type GranteeKey, type GrantRow, heldBy } from './grant-store.ts'
import { objectOfRow } from './given-store.ts'

/** What a user who does not own the object passed on. */
export interface PassedOn extends AccessObject {
  readonly sourceId: number
  readonly grantorId: string
  readonly key: GranteeKey
  readonly privileges: readonly Privilege[]
  readonly grantable: readonly Privilege[]
}

/** What somebody may pass on, by who gave it; the source 0 is the owner's. */
export interface Option extends AccessObject {
  readonly sources: readonly { readonly sourceId: number; readonly grantable: readonly Privilege[] }[]
}

const keyOf = (row: { user_id: string | null; role: string | null }): GranteeKey =>
  row.user_id === null ? { role: row.role ?? '' } : { userId: row.user_id }

/** What users who do not own an object passed on, and what they can pass on. */
export function createPassedOnStore() {
  return {
    /** All that these users passed on. */
    async passedOnBy(
      trx: Kysely<Schema>,
      accountId: string,
      grantorIds: readonly string[],
    ): Promise<PassedOn[]> {
      const rows = await trx
        .selectFrom('grant_sources')
        .innerJoin('grants', 'grants.grant_id', 'grant_sources.grant_id')
        .select([
          ...GRANT_COLUMNS,
          'grants.user_id',
          'grants.role',
          'grant_sources.source_id as sourceId',
          'grant_sources.grantor_id as grantorId',
          'grant_sources.privileges as given',
          'grant_sources.grantable as givenGrantable',
        ])
        .where('grant_sources.account_id', '=', accountId)
        .where('grant_sources.grantor_id', '=', sql<string>`any(${grantorIds}::uuid[])`)
        .orderBy('grant_sources.source_id')
        .execute()
      return rows.map((row) => ({
        ...objectOfRow(row as unknown as AccessObject),
        sourceId: row.sourceId,
        grantorId: row.grantorId ?? '',
        key: keyOf(row),
        privileges: row.given as Privilege[],
        grantable: row.givenGrantable as Privilege[],
      }))
    },

    /** What a user and these roles may pass on. */
    async optionsOf(
      trx: Kysely<Schema>,
      accountId: string,
      holder: { userId: string; roles: readonly string[] },
    ): Promise<Option[]> {
      const rows = await trx
        .selectFrom('grants')
        .select([
          ...GRANT_COLUMNS,
          sql<{ sourceId: number; grantable: Privilege[] }[] | null>`(select
            json_agg(json_build_object('sourceId', source_id, 'grantable', grant_sources.grantable))
            from grant_sources where grant_sources.grant_id = grants.grant_id)`.as('sources'),
        ])
        .where(heldBy(accountId, holder))
        .where(sql<boolean>`cardinality(grants.grantable) > 0`)
        .execute()
      return rows.map((found) => {
        const row = found as unknown as GrantRow & { sources: Option['sources'] | null }
        const sources = row.sources ?? [{ sourceId: 0, grantable: row.grantable }]
        return { ...objectOfRow(row), sources }
      })
    },
  }
}
