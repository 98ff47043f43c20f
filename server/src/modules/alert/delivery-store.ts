import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export type DeliveryRow = Selectable<Schema['alert_deliveries']>

export interface Due {
  readonly now: Date
  /** When it is due again, should this server die while it delivers. */
  readonly nextAt: Date
  readonly limit: number
  readonly limitOfAccount: number
}

export interface Outcome {
  readonly state: 'waiting' | 'delivered' | 'failed'
  readonly status: number | null
  readonly answer: string
  readonly error: string
  readonly at: Date
  /** Of the next attempt. */
  readonly nextAt: Date
}

/**
 * What is due, the accounts in turn, so that one whose receivers hang does not hold up the others. A row that is locked is
 * read again as it is by then, so that what somebody else took meanwhile is due for them alone.
 */
const dueInTurn = ({ now, limit, limitOfAccount }: Due) => sql`
  with recursive holders (id) as (
    (select min(account_id) from alert_deliveries where state = 'waiting')
    union all
    select (select min(account_id) from alert_deliveries where state = 'waiting' and account_id > holders.id)
    from holders where holders.id is not null
  ), ranked as (
    select due.delivery_id, due.position from holders cross join lateral (
      select delivery_id, row_number() over (order by next_attempt_at) as position from alert_deliveries
      where state = 'waiting' and account_id = holders.id and next_attempt_at <= ${now}
      order by next_attempt_at limit ${limitOfAccount}
    ) due
  )
  select alert_deliveries.delivery_id from alert_deliveries join ranked using (delivery_id)
  where alert_deliveries.state = 'waiting' and alert_deliveries.next_attempt_at <= ${now}
  order by ranked.position limit ${limit} for update of alert_deliveries skip locked`

export function createDeliveryStore(db: Kysely<Schema>) {
  return {
    insert: async (trx: Transaction<Schema>, rows: Insertable<Schema['alert_deliveries']>[]) => {
      if (rows.length > 0) await trx.insertInto('alert_deliveries').values(rows).execute()
    },

    async countWaiting(db: Kysely<Schema>, accountId: string): Promise<number> {
      const { count } = await db
        .selectFrom('alert_deliveries')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow()
      return count
    },

    /** Counted before they are tried: a server that dies in the middle has used the attempt up. */
    takeDue: (due: Due) =>
      db
        .updateTable('alert_deliveries')
        .set({ attempts: sql<number>`attempts + 1`, next_attempt_at: due.nextAt })
        .where(sql<boolean>`delivery_id in (${dueInTurn(due)})`)
        .returningAll()
        .execute(),

    /** Where it stays, with the rule of now. */
    ruleOf: (ruleId: string) =>
      db
        .selectFrom('alert_rules')
        .select(['rule_id', 'url', 'secret', 'enabled'])
        .where('rule_id', '=', ruleId)
        .executeTakeFirst(),

    /** Of its last attempt alone. Undefined: a newer one is under way, or it is gone with its rule. */
    setOutcome: (
      { delivery_id, attempts }: Pick<DeliveryRow, 'delivery_id' | 'attempts'>,
      { state, status, answer, error, at, nextAt }: Outcome,
    ) =>
      db
        .updateTable('alert_deliveries')
        .set({
          state,
          status,
          answer,
          error,
          next_attempt_at: nextAt,
          ended_at: state === 'waiting' ? null : at,
        })
        .where('delivery_id', '=', delivery_id)
        .where('attempts', '=', attempts)
        .returningAll()
        .executeTakeFirst(),

    lock: (trx: Transaction<Schema>, accountId: string, deliveryId: string) =>
      trx
        .selectFrom('alert_deliveries')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('delivery_id', '=', deliveryId)
        .forUpdate()
        .executeTakeFirst(),

    /** The first attempt is somebody's who waits for it; the queue takes it after the lease, should they be gone. */
    setTried: (trx: Transaction<Schema>, deliveryId: string, nextAt: Date) =>
      trx
        .updateTable('alert_deliveries')
        .set({ attempts: 1, next_attempt_at: nextAt })
        .where('delivery_id', '=', deliveryId)
        .returningAll()
        .executeTakeFirst(),

    setWaiting: (trx: Transaction<Schema>, deliveryId: string, nextAt: Date) =>
      trx
        .updateTable('alert_deliveries')
        .set({ state: 'waiting', ended_at: null, next_attempt_at: nextAt })
        .where('delivery_id', '=', deliveryId)
        .returningAll()
        .executeTakeFirstOrThrow(),

    page: ({ ruleId, after, limit }: { ruleId: string; after: string | null; limit: number }) =>
      db
        .selectFrom('alert_deliveries')
        .selectAll()
        .where('rule_id', '=', ruleId)
        .$if(after !== null, (query) => query.where('delivery_id', '<', after))
        .orderBy('delivery_id', 'desc')
        .limit(limit)
        .execute(),

    deleteEndedBefore: (endedAt: Date) =>
      db
        .deleteFrom('alert_deliveries')
        .where('state', '!=', 'waiting')
        .where('ended_at', '<', endedAt)
        .execute(),
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>
