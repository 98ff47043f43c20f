import type { EndpointStatus } from '@boathouse/contract'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export type EndpointRow = Selectable<Schema['vpc_endpoints']>

export const regionOf = async (db: Kysely<Schema>, accountId: string): Promise<string> =>
  (
    await db
      .selectFrom('accounts')
      .select('region')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
  ).region

export const endpointsOf = (db: Kysely<Schema>, accountId: string): Promise<EndpointRow[]> =>
  db
    .selectFrom('vpc_endpoints')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('endpoint_id')
    .execute()

/** Locks the account's row, so that concurrent requests are counted one after the other. */
export async function countEndpoints(trx: Transaction<Schema>, accountId: string): Promise<number> {
  await trx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute()
  const { count } = await trx
    .selectFrom('vpc_endpoints')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

/** False: the account has it already. */
export const insertEndpoint = async (
  trx: Transaction<Schema>,
  row: Insertable<Schema['vpc_endpoints']>,
): Promise<boolean> =>
  (await trx
    .insertInto('vpc_endpoints')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'endpoint_id']).doNothing())
    .returning('endpoint_id')
    .executeTakeFirst()) !== undefined

export const deleteEndpoint = (trx: Transaction<Schema>, accountId: string, endpointId: string) =>
  trx
    .deleteFrom('vpc_endpoints')
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .returningAll()
    .executeTakeFirst()

export const lockEndpoint = (trx: Transaction<Schema>, accountId: string, endpointId: string) =>
  trx
    .selectFrom('vpc_endpoints')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('endpoint_id', '=', endpointId)
    .forUpdate()
    .executeTakeFirst()

/** Until the transaction ends, nobody else approves: addresses lead to one account. */
export const lockApprovals = (trx: Transaction<Schema>) =>
  sql`select pg_advisory_xact_lock(hashtextextended('private links', 0))`.execute(trx)

/** Of all accounts: a few, as each was approved by a person. */
export const availableEndpoints = (db: Kysely<Schema>): Promise<EndpointRow[]> =>
  db
    .selectFrom('vpc_endpoints')
    .selectAll()
    .where('status', '=', 'available')
    .orderBy('endpoint_id')
    .execute()

/** The first time that the cloud has a connection request of it. */
export const seeRequest = async (
  db: Kysely<Schema>,
  { endpointId, ownerId, at }: { endpointId: string; ownerId: string; at: Date },
): Promise<void> => {
  await db
    .updateTable('vpc_endpoints')
    .set({ request_seen_at: at })
    .where('endpoint_id', '=', endpointId)
    .where('aws_account_id', '=', ownerId)
    .where('request_seen_at', 'is', null)
    .execute()
}

/** By an account that was not refused. */
export const isRequestedElsewhere = async (
  db: Kysely<Schema>,
  accountId: string,
  endpointId: string,
): Promise<boolean> =>
  (await db
    .selectFrom('vpc_endpoints')
    .select('account_id')
    .where('endpoint_id', '=', endpointId)
    .where('account_id', '!=', accountId)
    .where('status', '!=', 'rejected')
    .limit(1)
    .executeTakeFirst()) !== undefined

export interface Decision {
  readonly addresses: string
  readonly status: EndpointStatus
  readonly reason: string | null
  readonly decided_at: Date
}

export const decideEndpoint = (
  trx: Transaction<Schema>,
  { account_id, endpoint_id }: EndpointRow,
  decision: Decision,
) =>
  trx
    .updateTable('vpc_endpoints')
    .set(decision)
    .where('account_id', '=', account_id)
    .where('endpoint_id', '=', endpoint_id)
    .returningAll()
    .executeTakeFirstOrThrow()

interface Asked {
  readonly account?: string | undefined
  readonly status?: EndpointStatus | undefined
  readonly limit: number
}

/** Of all accounts, those that wait longest first. */
export const endpointsAsked = (
  db: Kysely<Schema>,
  { account, status, limit }: Asked,
): Promise<EndpointRow[]> =>
  db
    .selectFrom('vpc_endpoints')
    .selectAll()
    .$if(account !== undefined, (query) => query.where('account_id', '=', account ?? ''))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
    .orderBy('created_at')
    .orderBy('account_id')
    .orderBy('endpoint_id')
    .limit(limit)
    .execute()
