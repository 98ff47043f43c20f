import { type Kysely, sql, type Transaction } from 'kysely'
import { foldedName } from '../../../kernel/same-name.ts'
import type { Held } from '../../../kernel/share.ts'
import { catalogIdOf, catalogKeyOf } from '../../../store/catalog-ids.ts'
import { foldedColumn } from '../../../store/folded-name.ts'
import { heldBy } from '../../../store/held.ts'
import { jsonText } from '../../../store/json-text.ts'
import type { Schema } from '../../../store/schema.ts'
import { createPipeLeaseStore } from './pipe-lease-store.ts'
import type { PipeRow } from './pipe-row.ts'
import { pipesIn, toPipe } from './pipe-rows-store.ts'

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
    ...createPipeLeaseStore(db),

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
      return count
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
  }
}

export type PipeStore = ReturnType<typeof createPipeStore>
