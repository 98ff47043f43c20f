import type { Input, Output, usage } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { createShares, type ShareSpan } from './shares-store.ts'
import type { UsageSpan } from './service.ts'

const HOUR_MS = 3_600_000
/** Weighed microseconds in a CCU-hour, and what a millionth of a USD is in the unit of costs. */
const PER_MICRO_CCU = 3_600n
const PER_MICRO_USD = 3_600n * 1_000_000n

const rounded = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor / 2n) / divisor

function decimal(micros: bigint, places: number): string {
  const fraction = String(micros % 1_000_000n).padStart(6, '0')
  const needed = fraction.replace(/0+$/, '').padEnd(places, '0')
  return `${micros / 1_000_000n}${needed && `.${needed}`}`
}

interface Reached {
  readonly weighed: bigint
  readonly cost: bigint
}

/** What the sum grows by between two places in it: so all parts together are the whole, to the last digit. */
const between = (from: Reached, until: Reached) => ({
  ccu: decimal(rounded(until.weighed, PER_MICRO_CCU) - rounded(from.weighed, PER_MICRO_CCU), 0),
  usd: decimal(rounded(until.cost, PER_MICRO_USD) - rounded(from.cost, PER_MICRO_USD), 2),
})

const NOTHING: Reached = { weighed: 0n, cost: 0n }

const reachedBy = (row: { weighed: string; cost: string; weighed_until: string; cost_until: string }) => {
  const until = { weighed: BigInt(row.weighed_until), cost: BigInt(row.cost_until) }
  const from = { weighed: until.weighed - BigInt(row.weighed), cost: until.cost - BigInt(row.cost) }
  return between(from, until)
}

function hourOf(hour: string, { from, until }: { from: Date; until: Date }): { from: Date; until: Date } {
  const at = new Date(hour)
  if (at < from || at >= until || at.getTime() % HOUR_MS !== 0)
    throw new AppError('BadInput', 'hour: Enter the beginning of an hour of this month, UTC.')
  return { from: at, until: new Date(at.getTime() + HOUR_MS) }
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

/** What a month or an hour cost, by people and by statements, and what of it was nobody's. */
export function createExplained({ db, spanOf, warehouseNames }: ExplainedOptions) {
  const shares = createShares(db)

  /** Idle is what no statement ran in; forgotten, whose statements are no longer kept. */
  async function partsOf(span: ShareSpan) {
    const known = await shares.sum(span)
    if (span.user !== undefined)
      return { total: { chargedSeconds: 0, ...between(NOTHING, known) }, idle: null, forgotten: null }
    const row = await shares.whole(span)
    const all = { weighed: BigInt(row.weighed), cost: BigInt(row.cost) }
    const busy = { weighed: BigInt(row.busy_weighed), cost: BigInt(row.busy_cost) }
    return {
      total: { chargedSeconds: row.seconds, ...between(NOTHING, all) },
      forgotten: between(known, busy),
      idle: between(busy, all),
    }
  }

  return {
    async byUser(actor: Actor, question: Input<typeof usage.byUser>): Promise<Output<typeof usage.byUser>> {
      const { accounts, span } = await spanOf(actor, question)
      const nameOf = new Map(accounts.map((one) => [one.account_id, one.name]))
      const rows = await shares.byUser(span, question)
      return {
        ...(await partsOf(span)),
        count: rows[0]?.total ?? 0,
        users: rows.map((row) => ({
          accountId: row.account_id,
          account: nameOf.get(row.account_id) ?? row.account_id,
          user: row.user_name,
          statements: row.statements,
          ...reachedBy(row),
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
      const rows = await shares.byStatement(asked, question)
      const names = await warehouseNames([...new Set(rows.map((row) => row.warehouse_id))])
      const nameOf = new Map(accounts.map((one) => [one.account_id, one.name]))
      return {
        ...(await partsOf(asked)),
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
          ...reachedBy(row),
        })),
      }
    },
  }
}
