import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { likeText } from '../../store/page.ts'

export interface RoleRow {
  readonly name: string
  readonly comment: string
  readonly createdBy: string
  readonly createdAt: Date
}

export function createRoleStore(db: Kysely<Schema>) {
  return {
    /** One change of an account's access at a time: cycles and limits are looked for in what then holds. */
    lock: (trx: Transaction<Schema>, accountId: string) =>
      trx
        .selectFrom('identity_versions')
        .select('version')
        .where('account_id', '=', accountId)
        .forUpdate()
        .executeTakeFirstOrThrow(),

    findRole: (
      accountId: string,
      name: string,
      executor: Kysely<Schema> = db,
    ): Promise<RoleRow | undefined> =>
      executor
        .selectFrom('roles')
        .select(['name', 'comment', 'created_by as createdBy', 'created_at as createdAt'])
        .where('account_id', '=', accountId)
        .where(sql<string>`lower(name)`, '=', name.toLowerCase())
        .executeTakeFirst(),

    async rolesOf(
      accountId: string,
      { search, offset, limit }: { search: string; offset: number; limit: number },
    ) {
      const matching = db
        .selectFrom('roles')
        .where('account_id', '=', accountId)
        .where(sql<string>`lower(name)`, 'like', likeText(search))
      const { total } = await matching
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const list: RoleRow[] = await matching
        .select(['name', 'comment', 'created_by as createdBy', 'created_at as createdAt'])
        .orderBy(sql`lower(name)`)
        .offset(offset)
        .limit(limit)
        .execute()
      return { list, total }
    },

    countRoles: async (trx: Transaction<Schema>, accountId: string): Promise<number> => {
      const { total } = await trx
        .selectFrom('roles')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return total
    },

    insertRole: (trx: Transaction<Schema>, accountId: string, role: RoleRow) =>
      trx
        .insertInto('roles')
        .values({
          account_id: accountId,
          name: role.name,
          comment: role.comment,
          created_by: role.createdBy,
          created_at: role.createdAt,
        })
        .execute(),

    /** And from the roles that inherit it. */
    async deleteRole(trx: Transaction<Schema>, accountId: string, role: string): Promise<void> {
      await trx
        .deleteFrom('role_roles')
        .where('account_id', '=', accountId)
        .where('granted', '=', role)
        .execute()
      await trx.deleteFrom('roles').where('account_id', '=', accountId).where('name', '=', role).execute()
    },
  }
}
