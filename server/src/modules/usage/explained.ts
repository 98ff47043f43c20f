import type { Input, Output, usage } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { costsOfStatements, type StatementCost } from '../warehouse/statement-costs.ts'
import { createShares, type Shares, type ShareSpan, type StatementShare } from './shares-store.ts'
import type { UsageSpan } from './service.ts'

const HOUR_MS = 3_600_000
/** Weighed microseconds in a CCU-hour, and what a millionth of a USD is in the unit of costs. */
const PER_MICRO_CCU = 3_600n
const PER_MICRO_USD = 3_600n * 1_000_000n

const rounded = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor / 2n) / divisor

function decimal(signed: bigint, places: number): string {
  const micros = signed < 0n ? -signed : signed
  const fraction = String(micros % 1_000_000n).padStart(6, '0')
  const needed = fraction.replace(/0+$/, '').padEnd(places, '0')
  return `${signed < 0n ? '-' : ''}${micros / 1_000_000n}${needed && `.${needed}`}`
}

/** Millionths of a CCU and of a USD. */
interface Micros {
  readonly ccu: bigint
  readonly usd: bigint
}

const NOTHING: Micros = { ccu: 0n, usd: 0n }

const microsOf = ({ weighed, cost }: Record<'weighed' | 'cost', bigint | string>): Micros => ({
  ccu: rounded(BigInt(weighed), PER_MICRO_CCU),
  usd: rounded(BigInt(cost), PER_MICRO_USD),
})

/** What is between two sums. */
const between = (from: Micros, until: Micros) => ({
  ccu: decimal(until.ccu - from.ccu, 0),
  usd: decimal(until.usd - from.usd, 2),
})

const textOf = (micros: Micros) => between(NOTHING, micros)

function hourOf(hour: string, { from, until }: { from: Date; until: Date }): { from: Date; until: Date } {
  const at = new Date(hour)
  if (at < from || at >= until || at.getTime() % HOUR_MS !== 0)
    throw new AppError('BadInput', 'hour: Enter the beginning of an hour of this month, UTC.')
  return { from: at, until: new Date(at.getTime() + HOUR_MS) }
}

/** One that the history has forgotten has ended long ago. */
const pricedOf = (row: StatementShare) => ({
  queryId: row.query_id,
  warehouseId: row.warehouse_id,
  endedAt: row.is_kept ? row.ended_at : new Date(0),
})

function wholeCost(costs: ReadonlyMap<string, StatementCost>, queryId: string) {
  const cost = costs.get(queryId)
  if (!cost) throw new Error(`The cost of the statement ${queryId} was not requested.`)
  const { ccu, usd, micros, isFinal } = cost
  return { ccu, usd, seconds: micros / 1_000_000, isFinal }
}

export interface ExplainedOptions {
  readonly db: Kysely<Schema>
  /** Whom the actor may ask about. */
  readonly spanOf: (
    actor: Actor,
    question: { month: string; accountId?: string | undefined },
  ) => Promise<UsageSpan>
  readonly warehouseNames: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/** Idle is what no statement ran in; forgotten, whose statements are no longer kept. */
async function partsOf(shares: Shares, span: ShareSpan, by: 'statement' | 'user') {
  const sum = await shares.sum(span, by)
  const known = microsOf(sum)
  const rounding = between({ ccu: sum.microCcuOfRows, usd: sum.microUsdOfRows }, known)
  if (span.user !== undefined)
    return { total: { chargedSeconds: 0, ...textOf(known) }, idle: null, forgotten: null, rounding }
  const row = await shares.whole(span)
  const all = microsOf(row)
  const busy = microsOf({ weighed: row.busy_weighed, cost: row.busy_cost })
  return {
    total: { chargedSeconds: row.seconds, ...textOf(all) },
    forgotten: between(known, busy),
    idle: between(busy, all),
    rounding,
  }
}

/** What a month or an hour cost, by user and by statement, and what was used by none. */
export function createExplained({ db, spanOf, warehouseNames }: ExplainedOptions) {
  /** Of one moment: while it is read, the next second is counted. */
  const atOnce = <T>(read: (trx: Transaction<Schema>) => Promise<T>): Promise<T> =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)

  return {
    async byUser(actor: Actor, question: Input<typeof usage.byUser>): Promise<Output<typeof usage.byUser>> {
      const { accounts, span } = await spanOf(actor, question)
      const nameOf = new Map(accounts.map((one) => [one.account_id, one.name]))
      const { rows, parts } = await atOnce(async (trx) => {
        const shares = createShares(trx)
        return { rows: await shares.byUser(span, question), parts: await partsOf(shares, span, 'user') }
      })
      return {
        ...parts,
        count: rows[0]?.total ?? 0,
        users: rows.map((row) => ({
          accountId: row.account_id,
          account: nameOf.get(row.account_id) ?? row.account_id,
          user: row.user_name,
          statements: row.statements,
          ...textOf(microsOf(row)),
        })),
      }
    },

    async byStatement(
      actor: Actor,
      question: Input<typeof usage.byStatement>,
    ): Promise<Output<typeof usage.byStatement>> {
      const { accounts, span } = await spanOf(actor, question)
      const { hour, warehouseId, user } = question
      const asked: ShareSpan = {
        ...span,
        ...(hour === undefined ? {} : hourOf(hour, span)),
        warehouseId,
        user,
      }
      const { rows, parts, costs } = await atOnce(async (trx) => {
        const shares = createShares(trx)
        const listed = await shares.byStatement(asked, question)
        const costsOf = await costsOfStatements(trx, listed.map(pricedOf))
        return { rows: listed, costs: costsOf, parts: await partsOf(shares, asked, 'statement') }
      })
      const names = await warehouseNames([...new Set(rows.map((row) => row.warehouse_id))])
      const nameOf = new Map(accounts.map((one) => [one.account_id, one.name]))
      return {
        ...parts,
        count: rows[0]?.total ?? 0,
        statements: rows.map((row) => ({
          queryId: row.query_id,
          accountId: row.account_id,
          account: nameOf.get(row.account_id) ?? row.account_id,
          warehouse: names.get(row.warehouse_id) ?? '',
          user: row.user_name,
          // What others write is theirs; what it costs is who pays for it.
          sql: row.account_id === actor.accountId ? row.sql : null,
          startedAt: row.started_at?.toISOString() ?? null,
          micros: row.micros,
          ...textOf(microsOf(row)),
          cost: wholeCost(costs, row.query_id),
        })),
      }
    },
  }
}
