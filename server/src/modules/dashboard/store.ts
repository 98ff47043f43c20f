import { BUILT_IN_ROLES, type Parameter, type Tile } from '@boathouse/contract'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import { type Actor, isNarrowed } from '../../kernel/actor.ts'
import type { Held } from '../../kernel/share.ts'
import { heldBy } from '../../store/held.ts'
import type { Schema } from '../../store/schema.ts'

type Table = Schema['dashboards']

/** Tiles and parameters were checked before they were written. */
export type DashboardRow = Omit<Selectable<Table>, 'tiles' | 'parameters'> & {
  readonly tiles: readonly Tile[]
  readonly parameters: Parameter[]
}
export type NamedDashboard = DashboardRow & { readonly owner: string }
export type ListedRow = Omit<NamedDashboard, 'tiles' | 'parameters'>

/** Who looks. */
export type Viewer = Pick<Actor, 'accountId' | 'userId' | 'activeRoles' | 'heldRoles' | 'key'>

interface Page {
  readonly search: string
  readonly isOwn: boolean
  readonly offset: number
  readonly limit: number
}

const WITHOUT_CONTENT = [
  'dashboards.dashboard_id',
  'dashboards.account_id',
  'dashboards.user_id',
  'dashboards.name',
  'dashboards.viewers',
  'dashboards.roles',
  'dashboards.runs_as',
  'dashboards.cron',
  'dashboards.time_zone',
  'dashboards.next_run_at',
  'dashboards.revision',
  'dashboards.tile_count',
  'dashboards.created_at',
  'dashboards.updated_at',
] as const

/**
 * Of the account, those that this user may see. An own one may run with all roles of its owner: who has some of them, by a
 * key, sees it where others with these roles do.
 */
const seenBy = (db: Kysely<Schema>, viewer: Viewer) =>
  db
    .selectFrom('dashboards')
    .where('dashboards.account_id', '=', viewer.accountId)
    .where((eb) =>
      eb.or([
        ...(isNarrowed(viewer) ? [] : [eb('dashboards.user_id', '=', viewer.userId)]),
        eb('dashboards.viewers', '=', 'account'),
        eb.and([
          eb('dashboards.viewers', '=', 'roles'),
          sql<boolean>`dashboards.roles && ${sql.val([...viewer.activeRoles])}::text[]`,
        ]),
      ]),
    )

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** Dashboards, and who may see them. */
export function createDashboardStore(db: Kysely<Schema>) {
  return {
    async page(viewer: Viewer, { search, isOwn, offset, limit }: Page) {
      const found = seenBy(db, viewer)
        .$if(isOwn, (all) => all.where('dashboards.user_id', '=', viewer.userId))
        .$if(search !== '', (all) => all.where('dashboards.name', 'ilike', `%${escaped(search)}%`))
      const { total } = await found
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const rows: ListedRow[] = await found
        .innerJoin('users', 'users.user_id', 'dashboards.user_id')
        .select(WITHOUT_CONTENT)
        .select('users.name as owner')
        .orderBy(sql`lower(dashboards.name)`)
        .orderBy('dashboards.dashboard_id')
        .offset(offset)
        .limit(limit)
        .execute()
      return { rows, total }
    },

    /** Those last changed first. */
    recent: (viewer: Viewer, most: number): Promise<ListedRow[]> =>
      seenBy(db, viewer)
        .innerJoin('users', 'users.user_id', 'dashboards.user_id')
        .select(WITHOUT_CONTENT)
        .select('users.name as owner')
        .orderBy('dashboards.updated_at', 'desc')
        .orderBy('dashboards.dashboard_id')
        .limit(most)
        .execute(),

    /** Undefined when this user may not see it. */
    find: async (viewer: Viewer, dashboardId: string): Promise<NamedDashboard | undefined> =>
      (await seenBy(db, viewer)
        .innerJoin('users', 'users.user_id', 'dashboards.user_id')
        .selectAll('dashboards')
        .select('users.name as owner')
        .where('dashboards.dashboard_id', '=', dashboardId)
        .executeTakeFirst()) as NamedDashboard | undefined,

    /** Not only what a viewer may see. */
    known: async (dashboardId: string): Promise<DashboardRow | undefined> =>
      (await db
        .selectFrom('dashboards')
        .selectAll()
        .where('dashboard_id', '=', dashboardId)
        .executeTakeFirst()) as DashboardRow | undefined,

    /** One after the other for an account, so that two at the same moment cannot both be the last that there may be. */
    async countAlone(trx: Transaction<Schema>, accountId: string, userId: string): Promise<Held> {
      const key = `dashboards ${accountId}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
      return trx
        .selectFrom('dashboards')
        .select(heldBy(userId))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    },

    /** As they are called in the account. They stay there until the transaction ends. */
    async heldRoles(
      trx: Transaction<Schema>,
      accountId: string,
      names: readonly string[],
    ): Promise<string[]> {
      const small = names.map((name) => name.toLowerCase())
      const made = await trx
        .selectFrom('roles')
        .select('name')
        .where('account_id', '=', accountId)
        .where(sql<string>`lower(name)`, 'in', small)
        .forKeyShare()
        .execute()
      return [...BUILT_IN_ROLES.filter((name) => small.includes(name)), ...made.map(({ name }) => name)]
    },

    insert: (trx: Transaction<Schema>, row: Insertable<Table>) =>
      trx.insertInto('dashboards').values(row).execute(),

    lock: async (trx: Transaction<Schema>, dashboardId: string): Promise<DashboardRow | undefined> =>
      (await trx
        .selectFrom('dashboards')
        .selectAll()
        .where('dashboard_id', '=', dashboardId)
        .forUpdate()
        .executeTakeFirst()) as DashboardRow | undefined,

    update: (trx: Transaction<Schema>, dashboardId: string, change: Updateable<Table>) =>
      trx.updateTable('dashboards').set(change).where('dashboard_id', '=', dashboardId).execute(),

    delete: (trx: Transaction<Schema>, dashboardId: string) =>
      trx.deleteFrom('dashboards').where('dashboard_id', '=', dashboardId).execute(),
  }
}

export type DashboardStore = ReturnType<typeof createDashboardStore>
