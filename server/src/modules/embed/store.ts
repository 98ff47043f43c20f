import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

type Table = Schema['dashboard_embeds']

export type EmbedRow = Selectable<Table>
export type NamedEmbedRow = EmbedRow & { readonly dashboard: string; readonly owner: string }

/** A use is written this seldom, however many look. */
const USE_WRITTEN_MS = 60_000

/** Links of dashboards, and which accounts allow them. */
export function createEmbedStore(db: Kysely<Schema>) {
  const named = () =>
    db
      .selectFrom('dashboard_embeds')
      // What is embedded is listed under the names of dashboard and owner.
      .innerJoin('dashboards', 'dashboards.dashboard_id', 'dashboard_embeds.dashboard_id')
      .innerJoin('users', 'users.user_id', 'dashboards.user_id')
      .selectAll('dashboard_embeds')
      .select(['dashboards.name as dashboard', 'dashboards.user_id', 'users.name as owner'])

  return {
    async isAllowed(accountId: string, executor: Kysely<Schema> = db): Promise<boolean> {
      const found = await executor
        .selectFrom('embedding_accounts')
        .select('account_id')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return found !== undefined
    },

    /** False when it was so before. */
    async allow(trx: Transaction<Schema>, accountId: string, at: Date): Promise<boolean> {
      const row = await trx
        .insertInto('embedding_accounts')
        .values({ account_id: accountId, allowed_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning('account_id')
        .executeTakeFirst()
      return row !== undefined
    },

    async forbid(trx: Transaction<Schema>, accountId: string): Promise<boolean> {
      const row = await trx
        .deleteFrom('embedding_accounts')
        .where('account_id', '=', accountId)
        .returning('account_id')
        .executeTakeFirst()
      return row !== undefined
    },

    find: (embedId: string): Promise<EmbedRow | undefined> =>
      db.selectFrom('dashboard_embeds').selectAll().where('embed_id', '=', embedId).executeTakeFirst(),

    /** With the user whose dashboard it is. */
    findNamed: (accountId: string, embedId: string) =>
      named()
        .where('dashboard_embeds.account_id', '=', accountId)
        .where('embed_id', '=', embedId)
        .executeTakeFirst(),

    ofDashboard: (dashboardId: string): Promise<EmbedRow[]> =>
      db
        .selectFrom('dashboard_embeds')
        .selectAll()
        .where('dashboard_id', '=', dashboardId)
        .orderBy('created_at', 'desc')
        .orderBy('embed_id')
        .execute(),

    ofAccount: (accountId: string): Promise<NamedEmbedRow[]> =>
      named()
        .where('dashboard_embeds.account_id', '=', accountId)
        .orderBy('dashboard_embeds.created_at', 'desc')
        .orderBy('embed_id')
        .execute(),

    /** One after the other for an account, so that two at the same moment cannot both be the last that there may be. */
    async countAlone(trx: Transaction<Schema>, accountId: string, dashboardId: string) {
      const key = `embeds ${accountId}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
      return trx
        .selectFrom('dashboard_embeds')
        .select([
          sql<number>`count(*)::integer`.as('of_account'),
          sql<number>`(count(*) filter (where dashboard_id = ${dashboardId}::uuid))::integer`.as(
            'of_dashboard',
          ),
        ])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    },

    insert: (trx: Transaction<Schema>, row: Insertable<Table>): Promise<EmbedRow> =>
      trx.insertInto('dashboard_embeds').values(row).returningAll().executeTakeFirstOrThrow(),

    /** False when somebody else has done so. */
    async delete(trx: Transaction<Schema>, embedId: string): Promise<boolean> {
      const row = await trx
        .deleteFrom('dashboard_embeds')
        .where('embed_id', '=', embedId)
        .returning('embed_id')
        .executeTakeFirst()
      return row !== undefined
    },

    async used(embedId: string, at: Date): Promise<void> {
      const before = new Date(at.getTime() - USE_WRITTEN_MS)
      await db
        .updateTable('dashboard_embeds')
        .set({ last_used_at: at })
        .where('embed_id', '=', embedId)
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', before)]))
        .execute()
    },
  }
}

export type EmbedStore = ReturnType<typeof createEmbedStore>
