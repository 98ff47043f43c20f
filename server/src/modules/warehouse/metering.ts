import type { WarehouseSize } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import {
  hourOf,
  type HourShare,
  MINIMUM_SECONDS,
  secondsBetween,
  secondsByHour,
  wholeSecondsUntil,
} from './metered-time.ts'
import { type Edition, microUsdPerCcu, usdText } from './prices.ts'
import {
  addStatementUsage,
  addUsage,
  endRun,
  insertRun,
  moveMetered,
  openRun,
  openRuns,
  resumedAt,
  type Run,
  termsOf,
} from './run-store.ts'

import { type Held, shareOut, type Shares } from './shares.ts'
import type { SlotLedger } from './slot-ledger.ts'

/** Why a warehouse stopped running, or ran on at another size. */
export type EndReason =
  | 'suspended'
  | 'idle'
  | 'deleted'
  | 'resized'
  | 'crashed'
  | 'service stopped'
  | 'account frozen'
  | 'over budget'

/** Only who suspends or deletes a warehouse is charged the minimum: nobody pays for what the service did. */
const WITH_MINIMUM: ReadonlySet<EndReason> = new Set(['suspended', 'idle', 'deleted'])

interface End {
  readonly at: Date
  readonly reason: EndReason
}

/** Seconds of one hour, and what of them was whose. */
interface Part extends HourShare {
  readonly shares: Shares
}

/** At what the account is now, and at the price of the hour: neither changes for what was used before. */
async function charge(trx: Transaction<Schema>, run: Run, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return
  const terms = await termsOf(trx, run.account_id)
  const priceAt = (at: Date): string =>
    usdText(microUsdPerCcu({ edition: terms.edition as Edition, region: terms.region, at }))
  const charges = parts.map((part) => ({ ...part, ...terms, usdPerCcu: priceAt(part.hour) }))
  await addUsage(trx, run, charges)
  for (const one of charges) await addStatementUsage(trx, run, one)
}

/** Each moment is of the statements that held slots in it. */
function partsOf(from: Date, until: Date, held: readonly Held[]): Part[] {
  let at = from
  return secondsByHour(from, until).map((share) => {
    const span = { from: at, until: new Date(at.getTime() + share.seconds * 1000) }
    at = span.until
    return { ...share, shares: shareOut(held, span) }
  })
}

/** Counts up to a moment, once: null when somebody else moved this run or ended it. */
async function advance(
  trx: Transaction<Schema>,
  run: Run,
  { now, held }: { now: Date; held: readonly Held[] },
): Promise<Run | null> {
  const until = wholeSecondsUntil(run.metered_until, now)
  const moved = await moveMetered(trx, run, until)
  if (!moved) return null
  await charge(trx, run, partsOf(run.metered_until, until, held))
  return moved
}

/** `shares`: of the part of a second at its end, which the minimum pays for. */
async function chargeMinimum(trx: Transaction<Schema>, run: Run, shares: Shares): Promise<void> {
  const beginning = await resumedAt(trx, run)
  const missing = MINIMUM_SECONDS - secondsBetween(beginning, run.metered_until)
  if (missing > 0) await charge(trx, run, [{ hour: hourOf(beginning), seconds: missing, shares }])
}

async function finish(
  trx: Transaction<Schema>,
  run: Run,
  end: End & { held: readonly Held[] },
): Promise<void> {
  const counted = await advance(trx, run, { now: end.at, held: end.held })
  if (!counted) return
  const at = end.at > counted.metered_until ? end.at : counted.metered_until
  await endRun(trx, run.run_id, { at, reason: end.reason })
  if (WITH_MINIMUM.has(end.reason))
    await chargeMinimum(trx, counted, shareOut(end.held, { from: counted.metered_until, until: at }))
}

export interface MeteringOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  /** Who held slots in the time that is counted. */
  readonly ledger: Pick<SlotLedger, 'held' | 'forget' | 'close'>
  /** The ids of the current runs. */
  running(): ReadonlySet<string>
}

/**
 * Counts the seconds that warehouses run. What is counted and up to when is one transaction, so a crash between any
 * two lines loses nothing and counts nothing twice.
 */
export function createMetering({ db, clock, ledger, running }: MeteringOptions) {
  /** Ends that are known and not yet written; kept until they are. */
  const ends = new Map<string, End>()

  return {
    /** From now on this run is over, whatever happens to the database. */
    ended(runId: string, end: End): void {
      if (!ends.has(runId)) ends.set(runId, end)
    },

    /** Counts what runs up to now, and writes down what has ended. */
    async count(): Promise<void> {
      if (ends.size === 0 && running().size === 0) return
      const now = clock.now()
      const written = await db.transaction().execute(async (trx) => {
        const open = await openRuns(trx)
        const ongoing = running()
        const known = new Map(ends)
        const counted: { warehouseId: string; end: End | undefined; until: Date }[] = []
        for (const run of open) {
          const { warehouse_id: warehouseId } = run
          const held = ledger.held(warehouseId)
          const end = known.get(run.run_id)
          if (end) await finish(trx, run, { ...end, held })
          const moved = !end && ongoing.has(run.run_id) ? await advance(trx, run, { now, held }) : null
          if (end || moved) counted.push({ warehouseId, end, until: moved?.metered_until ?? now })
        }
        return { ends: known.keys(), counted }
      })
      for (const runId of written.ends) ends.delete(runId)
      for (const { warehouseId, end, until } of written.counted)
        if (end) ledger.close(warehouseId, end.at)
        else ledger.forget(warehouseId, until)
    },

    /** Starts another run, because usage is counted for each size. The unfinished second belongs to the new run. */
    async resize(runId: string, next: { runId: string; size: WarehouseSize }): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const run = await openRun(trx, runId)
        if (!run) return
        const until = wholeSecondsUntil(run.metered_until, clock.now())
        const held = ledger.held(run.warehouse_id)
        await finish(trx, run, { at: until, reason: 'resized', held })
        const { account_id, warehouse_id, warehouse_name } = run
        const place = { account_id, warehouse_id, warehouse_name }
        await insertRun(trx, { ...place, run_id: next.runId, size: next.size, started_at: until })
      })
    },

    /** At start nothing runs: what a dead server left open ended when its engine was last alive. */
    async closeOpenRuns(lastAlive: (run: Run) => Promise<Date | null>): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const now = clock.now()
        for (const run of await openRuns(trx)) {
          const alive = (await lastAlive(run)) ?? run.metered_until
          await finish(trx, run, { at: alive < now ? alive : now, reason: 'service stopped', held: [] })
        }
      })
    },
  }
}

export type Metering = ReturnType<typeof createMetering>
