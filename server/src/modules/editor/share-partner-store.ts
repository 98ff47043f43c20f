import { BUILT_IN_ROLES, isBuiltIn, type SharePartner } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import { likeText } from '../../store/page.ts'
import type { Schema } from '../../store/schema.ts'
import type { PartnerColumns } from './share-store.ts'

const NOBODY: PartnerColumns = { user_id: null, made_role: null, built_in_role: null }

/** Begins with it, whatever the letter case. */
const beginsWith = (search: string): string => likeText(search).slice(1)

/** Users and roles of an account, to share with. */
export function sharePartnerQueries(db: Kysely<Schema>) {
  return {
    findPartner: async (
      accountId: string,
      { kind, name }: SharePartner,
    ): Promise<PartnerColumns | undefined> => {
      if (kind === 'role' && isBuiltIn(name)) return { ...NOBODY, built_in_role: name }
      if (kind === 'role') {
        const role = await db
          .selectFrom('roles')
          .select('name')
          .where('account_id', '=', accountId)
          .where(sql<string>`lower(name)`, '=', name.toLowerCase())
          .executeTakeFirst()
        return role && { ...NOBODY, made_role: role.name }
      }
      const user = await db
        .selectFrom('users')
        .select('user_id')
        .where('account_id', '=', accountId)
        .where(sql<string>`lower(name)`, '=', name.toLowerCase())
        .executeTakeFirst()
      return user && { ...NOBODY, user_id: user.user_id }
    },

    async partners(
      { accountId, userId }: { accountId: string; userId: string },
      search: string,
      most: number,
    ): Promise<SharePartner[]> {
      const begins = beginsWith(search)
      const users = await db
        .selectFrom('users')
        .select('name')
        .where('account_id', '=', accountId)
        .where('user_id', '<>', userId)
        .where(sql<string>`lower(name)`, 'like', begins)
        .orderBy(sql`lower(name)`)
        .limit(most)
        .execute()
      const made = await db
        .selectFrom('roles')
        .select('name')
        .where('account_id', '=', accountId)
        .where(sql<string>`lower(name)`, 'like', begins)
        .orderBy(sql`lower(name)`)
        .limit(most)
        .execute()
      const builtIn = BUILT_IN_ROLES.filter((name) => name.startsWith(search.toLowerCase()))
      const roles = [...builtIn, ...made.map(({ name }) => name)]
      return [
        ...users.map(({ name }) => ({ kind: 'user' as const, name })),
        ...roles.map((name) => ({ kind: 'role' as const, name })),
      ]
    },
  }
}
