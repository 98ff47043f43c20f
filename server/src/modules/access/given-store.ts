import type { AccessObject, Privilege } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import { catalogIdOf } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'
import { GRANT_COLUMNS, type GranteeKey, type GrantRow, onObject, toKey } from './grant-store.ts'

/** What one giver gave. */
export interface Source {
  /** Null: the owner of the object, or somebody in the owner's place. */
  readonly grantorId: string | null
  readonly privileges: readonly Privilege[]
  readonly grantable: readonly Privilege[]
}

/** All that somebody was given on one object, by who gave it. */
export interface Given extends AccessObject {
  /** Null while it is not kept yet. */
  readonly grantId: number | null
  readonly key: GranteeKey
  /** They made the object. */
  readonly isCreator: boolean
  readonly sources: readonly Source[]
  readonly grantedBy: string
  readonly grantedAt: Date
}

const union = (sources: readonly Source[], of: 'privileges' | 'grantable'): Privilege[] =>
  [...new Set(sources.flatMap((source) => source[of]))].sort()

const WITH_SOURCES = [
  ...GRANT_COLUMNS,
  'grants.grant_id as grantId',
  'grants.user_id',
  'grants.role',
  'grants.is_creator as isCreator',
] as const

export const objectOfRow = ({ type, catalog, database, name }: AccessObject): AccessObject => ({
  type,
  catalog,
  database,
  name,
})

async function sourcesOf(trx: Kysely<Schema>, row: GrantRow & { grantId: number }): Promise<Source[]> {
  const rows = await trx
    .selectFrom('grant_sources')
    .select(['grantor_id as grantorId', 'privileges', 'grantable'])
    .where('grant_id', '=', row.grantId)
    .orderBy('source_id')
    .execute()
  if (rows.length > 0) return rows as Source[]
  return [{ grantorId: null, privileges: row.privileges, grantable: row.grantable }]
}

async function insertGrant(trx: Transaction<Schema>, accountId: string, given: Given): Promise<number> {
  const { key, sources } = given
  const inserted = await trx
    .insertInto('grants')
    .values({
      account_id: accountId,
      ...('userId' in key ? { user_id: key.userId } : { role: key.role }),
      object_type: given.type,
      catalog_id: catalogIdOf(accountId, given.catalog),
      database: given.database,
      name: given.name,
      privileges: union(sources, 'privileges'),
      grantable: union(sources, 'grantable'),
      granted_by: given.grantedBy,
      granted_at: given.grantedAt,
      is_creator: given.isCreator,
    })
    .returning('grant_id')
    .executeTakeFirstOrThrow()
  return inserted.grant_id
}

/** Grants with who gave them. Where nobody but the owner did, no source is kept. */
export function createGivenStore() {
  return {
    /** What this user or role was given on exactly this object. */
    async findGiven(
      trx: Transaction<Schema>,
      accountId: string,
      { key, object }: { key: GranteeKey; object: AccessObject },
    ): Promise<Given | undefined> {
      const found = await trx
        .selectFrom('grants')
        .select(WITH_SOURCES)
        .where(toKey(accountId, key))
        .where(onObject(accountId, object))
        .executeTakeFirst()
      if (!found) return undefined
      const row = found as unknown as GrantRow & { grantId: number; isCreator: boolean }
      const { grantId, isCreator, grantedBy, grantedAt } = row
      const sources = await sourcesOf(trx, row)
      return { ...objectOfRow(row), grantId, key, isCreator, sources, grantedBy, grantedAt }
    },

    /** Nothing is left where no privilege is. */
    async putGiven(trx: Transaction<Schema>, accountId: string, given: Given): Promise<void> {
      const sources = given.sources.filter(({ privileges }) => privileges.length > 0)
      if (sources.length === 0) {
        if (given.grantId !== null)
          await trx.deleteFrom('grants').where('grant_id', '=', given.grantId).execute()
        return
      }
      const grantId = given.grantId ?? (await insertGrant(trx, accountId, { ...given, sources }))
      if (given.grantId !== null)
        await trx
          .updateTable('grants')
          .set({
            privileges: union(sources, 'privileges'),
            grantable: union(sources, 'grantable'),
            granted_by: given.grantedBy,
            granted_at: given.grantedAt,
            is_creator: given.isCreator,
          })
          .where('grant_id', '=', grantId)
          .execute()
      await trx.deleteFrom('grant_sources').where('grant_id', '=', grantId).execute()
      if (sources.every(({ grantorId }) => grantorId === null)) return
      await trx
        .insertInto('grant_sources')
        .values(
          sources.map(({ grantorId, privileges, grantable }) => ({
            grant_id: grantId,
            account_id: accountId,
            grantor_id: grantorId,
            privileges: [...privileges],
            grantable: [...grantable],
          })),
        )
        .execute()
    },

    /** Whether this user made the object and still holds the privilege as its owner. */
    async isCreatorOf(
      trx: Kysely<Schema>,
      { accountId, userId }: { accountId: string; userId: string },
      object: AccessObject,
    ): Promise<boolean> {
      const found = await trx
        .selectFrom('grants')
        .select('grant_id')
        .where(toKey(accountId, { userId }))
        .where(onObject(accountId, object))
        .where('is_creator', '=', true)
        .executeTakeFirst()
      return found !== undefined
    },

    /** Before a user is removed: what was granted to them. */
    forgetUser: (trx: Transaction<Schema>, accountId: string, userId: string) =>
      trx.deleteFrom('grants').where(toKey(accountId, { userId })).execute(),
  }
}
