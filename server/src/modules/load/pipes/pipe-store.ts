import type { PipeState } from '@boathouse/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { foldedName } from '../../../kernel/same-name.ts'
import type { Held } from '../../../kernel/share.ts'
import { catalogIdOf, catalogKeyOf, catalogName } from '../../../store/catalog-ids.ts'
import { foldedColumn } from '../../../store/folded-name.ts'
import { heldBy } from '../../../store/held.ts'
import { jsonText } from '../../../store/json-text.ts'
import type { Schema } from '../../../store/schema.ts'
import type { PipeSourceText } from './pipe-definition.ts'
import type { PipeSettings } from './pipe-properties.ts'

export interface PipeRow {
  readonly pipe_id: string
  readonly account_id: string
  readonly catalog: string
  readonly database_name: string
  readonly name: string
  readonly user_id: string
  readonly user_name: string
  readonly table_catalog: string
  readonly table_database: string
  readonly table_name: string
  readonly statement: string
  readonly source: PipeSourceText
  readonly properties: PipeSettings
  readonly state: PipeState
  readonly reason: string
  readonly last_error: string
  readonly next_poll_at: Date
  readonly listed_at: Date | null
  readonly created_at: Date
}

export interface PipePlace {
  readonly catalog: string
  readonly database: string
}

export interface ListedPipes {
  readonly accountId: string
  /** Null: of everyone. */
  readonly userId: string | null
  /** Undefined: of all databases. */
  readonly place?: PipePlace | undefined
  readonly offset: number
  readonly limit: number
}

export interface PipeLease {
  readonly pipeId: string
  readonly owner: string
}

/** With the names of the catalogs in the place of their ids. */
const pipesIn = (db: Kysely<Schema>) =>
  db
    .selectFrom('pipes')
    .selectAll('pipes')
    .select([
      catalogName('pipes').as('catalog'),
      catalogName('pipes', 'table_catalog_id').as('table_catalog'),
    ])

const toPipe = (row: object): PipeRow => row as PipeRow

const listed = (db: Kysely<Schema>, { accountId, userId, place }: ListedPipes) => {
  let query = pipesIn(db).where('account_id', '=', accountId)
  if (userId !== null) query = query.where('user_id', '=', userId)
  if (place)
    query = query
      .where(foldedColumn('pipes.catalog_id'), '=', catalogKeyOf(accountId, place.catalog))
      .where(foldedColumn('database_name'), '=', foldedName(place.database))
  return query
}

/** Continuous loads. */
export function createPipeStore(db: Kysely<Schema>) {
  return {
    /** One after the other for an account, so that two at the same moment cannot both be the last that there may be. */
    async countAlone(trx: Transaction<Schema>, accountId: string, userId: string): Promise<Held> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`pipes ${accountId}`}, 0))`.execute(trx)
      return trx
        .selectFrom('pipes')
        .select(heldBy(userId))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    },

    /** False when the name is taken. */
    async insert(trx: Transaction<Schema>, row: PipeRow): Promise<boolean> {
      const { catalog, table_catalog, source, properties, ...rest } = row
      const inserted = await trx
        .insertInto('pipes')
        .values({
          ...rest,
          catalog_id: catalogIdOf(row.account_id, catalog),
          table_catalog_id: catalogIdOf(row.account_id, table_catalog),
          source: jsonText(source),
          properties: jsonText(properties),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('pipe_id')
        .executeTakeFirst()
      return inserted !== undefined
    },

    async list(asked: ListedPipes): Promise<PipeRow[]> {
      const rows = await listed(db, asked)
        .orderBy(foldedColumn('pipes.name'))
        .orderBy('pipe_id')
        .offset(asked.offset)
        .limit(asked.limit)
        .execute()
      return rows.map(toPipe)
    },

    async count(asked: ListedPipes): Promise<number> {
      const { count } = await db
        .selectFrom(listed(db, asked).as('listed'))
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async find(accountId: string, pipeId: string): Promise<PipeRow | undefined> {
      const row = await pipesIn(db)
        .where('account_id', '=', accountId)
        .where('pipe_id', '=', pipeId)
        .executeTakeFirst()
      return row && toPipe(row)
    },

    async named(accountId: string, place: PipePlace, name: string): Promise<PipeRow | undefined> {
      const row = await listed(db, { accountId, userId: null, place, offset: 0, limit: 1 })
        .where(foldedColumn('pipes.name'), '=', foldedName(name))
        .executeTakeFirst()
      return row && toPipe(row)
    },

    async remove(trx: Transaction<Schema>, pipeId: string): Promise<boolean> {
      const removed = await trx
        .deleteFrom('pipes')
        .where('pipe_id', '=', pipeId)
        .returning('pipe_id')
        .executeTakeFirst()
      return removed !== undefined
    },

    async change(
      trx: Kysely<Schema>,
      pipeId: string,
      {
        properties,
        ...change
      }: Partial<Pick<PipeRow, 'state' | 'reason' | 'last_error' | 'next_poll_at' | 'properties'>>,
    ): Promise<void> {
      await trx
        .updateTable('pipes')
        .set({ ...change, ...(properties && { properties: jsonText(properties) }) })
        .where('pipe_id', '=', pipeId)
        .execute()
    },

    /** By the service: unless somebody was faster. True when it did. */
    async suspend(trx: Transaction<Schema>, pipeId: string, reason: string): Promise<boolean> {
      const suspended = await trx
        .updateTable('pipes')
        .set({ state: 'suspended', reason, last_error: reason })
        .where('pipe_id', '=', pipeId)
        .where('state', '=', 'running')
        .returning('pipe_id')
        .executeTakeFirst()
      return suspended !== undefined
    },

    /** Those that nobody runs and that are due, accounts in turn. */
    async due(now: Date, most: number): Promise<PipeRow[]> {
      const rows = await pipesIn(db)
        .where('state', '=', 'running')
        .where('next_poll_at', '<=', now)
        .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', now)]))
        .orderBy(sql`row_number() over (partition by account_id order by next_poll_at)`)
        .orderBy('next_poll_at')
        .limit(most)
        .execute()
      return rows.map(toPipe)
    },

    /** False when another server has it, or it does not run any more. */
    async lease({ pipeId, owner }: PipeLease, now: Date, until: Date): Promise<boolean> {
      const leased = await db
        .updateTable('pipes')
        .set({ lease_owner: owner, lease_until: until })
        .where('pipe_id', '=', pipeId)
        .where('state', '=', 'running')
        .where((eb) =>
          eb.or([eb('lease_owner', '=', owner), eb('lease_until', 'is', null), eb('lease_until', '<', now)]),
        )
        .returning('pipe_id')
        .executeTakeFirst()
      return leased !== undefined
    },

    async release({ pipeId, owner }: PipeLease): Promise<void> {
      await db
        .updateTable('pipes')
        .set({ lease_owner: null, lease_until: null })
        .where('pipe_id', '=', pipeId)
        .where('lease_owner', '=', owner)
        .execute()
    },

    /** After its folder was listed and what was found is loaded, or not. */
    async looked(
      pipeId: string,
      looked: { readonly listedAt?: Date; readonly nextPollAt?: Date; readonly error?: string },
    ): Promise<void> {
      const { listedAt, nextPollAt, error } = looked
      await db
        .updateTable('pipes')
        .set({
          ...(listedAt && { listed_at: listedAt }),
          ...(nextPollAt && { next_poll_at: nextPollAt }),
          ...(error !== undefined && { last_error: error }),
        })
        .where('pipe_id', '=', pipeId)
        .execute()
    },

    /** What was there is loaded, and nothing else is to come. */
    async finish(pipeId: string): Promise<void> {
      await db
        .updateTable('pipes')
        .set({ state: 'finished' })
        .where('pipe_id', '=', pipeId)
        .where('state', '=', 'running')
        .execute()
    },
  }
}

export type PipeStore = ReturnType<typeof createPipeStore>
