import { type Kysely, type Selectable, sql } from 'kysely'
import { fullOf, type Places } from '../../../kernel/share.ts'
import { accountIdOf, catalogIdOf, catalogName } from '../../../store/catalog-ids.ts'
import { heldBy } from '../../../store/held.ts'
import type { Schema } from '../../../store/schema.ts'
import { defaultWarehouseId, warehouseEngine, warehouseNameNow } from './warehouse-name-store.ts'

export type ConnectionRow = Selectable<Schema['connections']> & {
  /** As it is now; null when none is chosen or it is gone. */
  readonly warehouse_name: string | null
  /** The kind of engine that the warehouse has; null: the home engine. */
  readonly warehouse_engine: string | null
  /** As it is called now. */
  readonly catalog: string
}

export interface NewConnection {
  /** Where its client was given a number before anybody knew who it is; one that is closed is then replaced. */
  readonly connection_id?: number
  readonly account_id: string
  readonly user_id: string
  readonly client_id: string
  readonly catalog: string
  readonly database_name: string | null
  /** Null: the one that every account has from the start, where it has. */
  readonly warehouse_id: string | null
  readonly variables: string
  readonly in_transaction: boolean
  readonly has_temporary: boolean
  readonly created_at: Date
  readonly last_used_at: Date
}

export interface ConnectionMove {
  readonly catalog?: string
  readonly database_name?: string | null
  readonly warehouse?: { readonly id: string | null; readonly name: string; readonly engine: string | null }
  /** As JSON. */
  readonly variables?: string
  readonly in_transaction?: boolean
  readonly has_temporary?: boolean
}

export interface ConnectionRoom extends Places {
  /** Of a full account, or of a user who has their share, connections that were not used since are closed. */
  readonly unusedSince: Date
}

export interface OpenedConnection {
  /** Whose places are all taken; null when it was opened. */
  readonly full: 'account' | 'user' | null
  readonly connection: ConnectionRow | undefined
  readonly closed: readonly number[]
}

const namesNow = () =>
  [
    warehouseNameNow('connections').as('warehouse_name'),
    warehouseEngine().as('warehouse_engine'),
    catalogName('connections').as('catalog'),
  ] as const

/** Neither opened nor kept alive since, and no statement of theirs has run since. Locked by their ids, as all are. */
const unusedConnections = (db: Kysely<Schema>, unusedSince: Date) =>
  db
    .selectFrom('connections')
    .select('connection_id')
    .where('closed_at', 'is', null)
    .where('last_used_at', '<', unusedSince)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('statements')
            .whereRef('statements.connection_id', '=', 'connections.connection_id')
            .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', unusedSince)])),
        ),
      ),
    )
    .orderBy('connection_id')
    .forNoKeyUpdate()

const closeConnections = (db: Kysely<Schema>, chosen: ReturnType<typeof unusedConnections>, at: Date) =>
  db
    .updateTable('connections')
    .set({ closed_at: at })
    .where('connection_id', 'in', chosen)
    .returning('connection_id')
    .execute()

/** What a client holds: opened, used, moved and closed. */
export const createConnectionStore = (db: Kysely<Schema>) => ({
  /**
   * Without a connection when the account has that many already, and none of them was closed to make room. Asked and
   * answered under a lock of the account: two at the same moment must not both be the last.
   */
  openConnection: (row: NewConnection, { unusedSince, ...room }: ConnectionRoom): Promise<OpenedConnection> =>
    db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('accounts')
        .select('account_id')
        .where('account_id', '=', row.account_id)
        .forNoKeyUpdate()
        .execute()
      const held = () =>
        trx
          .selectFrom('connections')
          .select(heldBy(row.user_id))
          .where('account_id', '=', row.account_id)
          .where('closed_at', 'is', null)
          .executeTakeFirstOrThrow()
      const before = fullOf(await held(), room)
      const unused = unusedConnections(trx, unusedSince).where('account_id', '=', row.account_id)
      const closed =
        before === null
          ? []
          : await closeConnections(
              trx,
              before === 'user' ? unused.where('user_id', '=', row.user_id) : unused,
              row.created_at,
            )
      const full = closed.length > 0 ? fullOf(await held(), room) : before
      const { catalog, ...kept } = row
      // That of who the client was before it signed in as somebody else.
      if (row.connection_id !== undefined)
        await trx
          .deleteFrom('connections')
          .where('connection_id', '=', row.connection_id)
          .where('closed_at', 'is not', null)
          .execute()
      return {
        full,
        connection: full
          ? undefined
          : await trx
              .insertInto('connections')
              .values({
                ...kept,
                catalog_id: catalogIdOf(row.account_id, catalog),
                warehouse_id: row.warehouse_id ?? defaultWarehouseId(row.account_id),
              })
              .returningAll()
              .returning(namesNow())
              .executeTakeFirstOrThrow(),
        closed: closed.map((one) => one.connection_id),
      }
    }),

  /** The highest number of a connection from this one on; null when none has such a number. */
  highestConnection: async (least: number): Promise<number | null> => {
    const { highest } = await db
      .selectFrom('connections')
      .select(({ fn }) => fn.max('connection_id').as('highest'))
      .where('connection_id', '>=', least)
      .executeTakeFirstOrThrow()
    return highest as number | null
  },

  /** Living connections of this user among the given ones. */
  connections: (userId: string, ids: readonly number[]) =>
    db
      .selectFrom('connections')
      .selectAll()
      .select(namesNow())
      .where('user_id', '=', userId)
      .where('connection_id', 'in', [...ids])
      .where('closed_at', 'is', null)
      .execute(),

  /** Also a closed one: what it left behind is where its successor begins. */
  anyConnection: (userId: string, id: number) =>
    db
      .selectFrom('connections')
      .selectAll()
      .select(namesNow())
      .where('user_id', '=', userId)
      .where('connection_id', '=', id)
      .executeTakeFirst(),

  /** Those of this user that live, marked as used. Locked by their ids: two who name them in another order both wait. */
  keepConnectionsAlive: async (userId: string, ids: readonly number[], at: Date): Promise<number[]> => {
    const { rows } = await sql<{ connection_id: number }>`
      with living as (
        select connection_id from connections
        where user_id = ${userId} and connection_id = any(${[...ids]}::bigint[]) and closed_at is null
        order by connection_id for no key update)
      update connections set last_used_at = ${at} from living
      where connections.connection_id = living.connection_id
      returning connections.connection_id`.execute(db)
    return rows.map((row) => row.connection_id)
  },

  moveConnection: async (id: number, { catalog, warehouse, ...change }: ConnectionMove): Promise<void> => {
    await db
      .updateTable('connections')
      .set({
        ...change,
        ...(catalog !== undefined && { catalog_id: catalogIdOf(accountIdOf('connections'), catalog) }),
        ...(warehouse && { warehouse_id: warehouse.id }),
      })
      .where('connection_id', '=', id)
      .execute()
  },

  /** False when it is closed, or not of this account. */
  closeConnection: async (accountId: string, id: number, at: Date): Promise<boolean> => {
    const open = db.updateTable('connections').set({ closed_at: at }).where('closed_at', 'is', null)
    const one = open.where('connection_id', '=', id).where('account_id', '=', accountId)
    return (await one.executeTakeFirstOrThrow()).numUpdatedRows > 0n
  },

  closeIdleConnections: (unusedSince: Date, at: Date, most: number) =>
    closeConnections(db, unusedConnections(db, unusedSince).limit(most), at),
})
