import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { ccuOfSize } from '../warehouse/billed-usage-store.ts'

/** Characters of a statement's text that are shown with its cost. */
const SQL_LENGTH = 300

export interface ShareSpan {
  readonly accountIds: readonly string[]
  readonly from: Date
  readonly until: Date
  /** Undefined: all of them. */
  readonly warehouseId?: string | undefined
  /** Undefined: of all users; null: of users that no longer exist. */
  readonly user?: string | null | undefined
}

/**
 * Weighed microseconds and what they cost, as whole numbers too large for a number: the cost in millionths of a 3600th
 * of a millionth of a USD.
 */
interface ShareSums {
  readonly weighed: string
  readonly cost: string
  /** Of all pages. */
  readonly total: number
}

export interface StatementShare extends ShareSums {
  readonly query_id: string
  readonly account_id: string
  readonly warehouse_id: string
  readonly user_name: string | null
  readonly sql: string | null
  readonly started_at: Date | null
  readonly ended_at: Date | null
  /** Whether the history still has it. */
  readonly is_kept: boolean
  readonly micros: number
}

export interface UserShare extends ShareSums {
  readonly account_id: string
  readonly user_name: string | null
  readonly statements: number
}

/** Of warehouses in all, and of that what statements ran in. */
export interface WholeCost {
  readonly weighed: string
  readonly cost: string
  readonly busy_weighed: string
  readonly busy_cost: string
  readonly seconds: number
}

const weighedOf = (micros: RawBuilder<unknown>, table: string) =>
  sql`${micros} * ${ccuOfSize(sql.ref(`${table}.size`))}::numeric`
const costOf = (micros: RawBuilder<unknown>, table: string) =>
  sql`${weighedOf(micros, table)} * ${sql.ref(`${table}.usd_per_ccu`)} * 1000000`

const within = ({ accountIds, from, until, warehouseId }: ShareSpan, table: string) => sql`
  ${sql.ref(`${table}.account_id`)} = any(${[...accountIds]})
  and ${sql.ref(`${table}.hour`)} >= ${from} and ${sql.ref(`${table}.hour`)} < ${until}
  and (${warehouseId ?? null}::uuid is null or ${sql.ref(`${table}.warehouse_id`)} = ${warehouseId ?? null}::uuid)`

const ofUser = ({ user }: ShareSpan) =>
  user === undefined
    ? sql`true`
    : user === null
      ? sql`statements.user_name is null`
      : sql`statements.user_name = ${user}`

const SUMS = sql`
  sum(weighed)::numeric(40)::text as weighed, sum(cost)::numeric(50)::text as cost,
  (count(*) over ())::int as total`

/** What makes one row of a list. */
const ROWS_BY = {
  statement: sql`query_id, account_id, user_name`,
  user: sql`account_id, user_name`,
}

/** The sum of all rows, exact, and rounded as the rows are: each to whole millionths of a CCU and of a USD. */
export interface ShareTotal {
  readonly weighed: bigint
  readonly cost: bigint
  readonly microCcuOfRows: bigint
  readonly microUsdOfRows: bigint
}

const shares = (span: ShareSpan) => sql`
  select shared.query_id, shared.account_id, shared.warehouse_id, statements.user_name, shared.micros,
    ${weighedOf(sql`shared.micros`, 'shared')} as weighed, ${costOf(sql`shared.micros`, 'shared')} as cost
  from statement_usage shared
  left join statements on statements.query_id = shared.query_id
  where ${within(span, 'shared')} and ${ofUser(span)}`

export interface SharePage {
  readonly page: number
  readonly pageSize: number
}

export function createShares(db: Kysely<Schema>) {
  return {
    async byStatement(span: ShareSpan, { page, pageSize }: SharePage): Promise<StatementShare[]> {
      const { rows } = await sql<StatementShare>`
        with shares as (${shares(span)}), listed as (
          select query_id, account_id, (array_agg(warehouse_id))[1] as warehouse_id, user_name,
            sum(micros)::bigint as micros, ${SUMS}
          from shares
          group by ${ROWS_BY.statement}
          order by sum(cost) desc, query_id
          limit ${pageSize} offset ${(page - 1) * pageSize}
        )
        select listed.*, left(statements.sql, ${SQL_LENGTH}) as sql, statements.started_at, statements.ended_at,
          statements.query_id is not null as is_kept
        from listed left join statements on statements.query_id = listed.query_id
        order by listed.cost::numeric desc, listed.query_id`.execute(db)
      return rows
    },

    async byUser(span: ShareSpan, { page, pageSize }: SharePage): Promise<UserShare[]> {
      const { rows } = await sql<UserShare>`
        with shares as (${shares(span)})
        select account_id, user_name, count(distinct query_id)::int as statements, ${SUMS}
        from shares
        group by ${ROWS_BY.user}
        order by sum(cost) desc, account_id, user_name
        limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
      return rows
    },

    /** All shares together, whatever the page. */
    async sum(span: ShareSpan, by: keyof typeof ROWS_BY): Promise<ShareTotal> {
      const { rows } = await sql<Record<'weighed' | 'cost' | 'ccu' | 'usd', string>>`
        with shares as (${shares(span)}), listed as (
          select sum(weighed) as weighed, sum(cost) as cost from shares group by ${ROWS_BY[by]}
        )
        select coalesce(sum(weighed), 0)::numeric(40)::text as weighed,
          coalesce(sum(cost), 0)::numeric(50)::text as cost,
          coalesce(sum(div(weighed + 1800, 3600)), 0)::numeric(40)::text as ccu,
          coalesce(sum(div(cost + 1800000000, 3600000000)), 0)::numeric(40)::text as usd
        from listed`.execute(db)
      const [row] = rows
      if (!row) throw new Error('A sum has one row.')
      return {
        weighed: BigInt(row.weighed),
        cost: BigInt(row.cost),
        microCcuOfRows: BigInt(row.ccu),
        microUsdOfRows: BigInt(row.usd),
      }
    },

    async whole(span: ShareSpan): Promise<WholeCost> {
      const { rows } = await sql<WholeCost>`
        select coalesce(sum(${weighedOf(sql`used.seconds * 1000000`, 'used')}), 0)::numeric(40)::text as weighed,
          coalesce(sum(${costOf(sql`used.seconds * 1000000`, 'used')}), 0)::numeric(50)::text as cost,
          coalesce(sum(${weighedOf(sql`used.busy_micros`, 'used')}), 0)::numeric(40)::text as busy_weighed,
          coalesce(sum(${costOf(sql`used.busy_micros`, 'used')}), 0)::numeric(50)::text as busy_cost,
          coalesce(sum(used.seconds), 0)::bigint as seconds
        from warehouse_usage used
        where ${within(span, 'used')}`.execute(db)
      const [row] = rows
      if (!row) throw new Error('A sum has one row.')
      return row
    },
  }
}

export type Shares = ReturnType<typeof createShares>
