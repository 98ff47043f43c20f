import type { Kysely, Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Units } from '../../kernel/money.ts'
import type { Schema } from '../../store/schema.ts'
import { unbilledStorageSums } from '../storage/billed-storage-store.ts'
import { unbilledSums } from '../warehouse/billed-usage-store.ts'
import { microUsdOf } from '../warehouse/prices.ts'
import { discountsOf } from './discount-store.ts'
import { discountIn } from './discounts.ts'
import { balanceOf, invoiceNotPaid, linesThatWait, unitsInvoicedSince } from './invoice-store.ts'
import { accountsOf, trialOf } from './payer-store.ts'
import { type PricedLine, spendBalance, sumOf } from './units.ts'

type Unbilled = Omit<PricedLine, 'balanceCcuSeconds'>

interface Span {
  /** Invoices that were closed since then are part of it. */
  readonly since: Date
  /** And hours that began before, as far as they are on no invoice. */
  readonly until: Date
}

/**
 * What an organisation owes, all in all: its invoices since a moment, and what the next one would come to. It is summed up
 * again each time, so that late usage and discounts are right in the next sum.
 */
export async function owedUnits(
  db: Kysely<Schema>,
  organisationId: string,
  { since, until }: Span,
): Promise<Units> {
  const accountIds = (await accountsOf(db, organisationId)).map((one) => one.account_id)
  const trial = await trialOf(db, organisationId)
  const trialUntil = trial ? (trial.ended_at ?? until) : null
  const discounts = await discountsOf(db, organisationId)
  const priced = (month: string, line: Omit<Unbilled, 'discountBasisPoints'>): Unbilled => ({
    ...line,
    discountBasisPoints: line.inTrial ? 0 : (discountIn(discounts, month)?.basis_points ?? 0),
  })
  const question = { accountIds, until, trialUntil }
  const lines = [
    ...(await linesThatWait(db, organisationId).execute()).map((row) =>
      priced(row.month, {
        ccuSeconds: row.ccu_seconds,
        microUsd: microUsdOf(row.usd_per_ccu),
        inTrial: row.in_trial,
        storageUnits: BigInt(row.storage_units ?? 0),
      }),
    ),
    ...(await unbilledSums(db, question)).map((row) =>
      priced(row.month, {
        ccuSeconds: row.ccu_seconds,
        microUsd: microUsdOf(row.usd_per_ccu),
        inTrial: row.in_trial,
        storageUnits: 0n,
      }),
    ),
    ...(await unbilledStorageSums(db, question)).map((row) =>
      priced(row.month, {
        ccuSeconds: 0,
        microUsd: 0,
        inTrial: row.in_trial,
        storageUnits: BigInt(row.units),
      }),
    ),
  ]
  const { usage, discount, credit } = sumOf(spendBalance(lines, await balanceOf(db, organisationId)), 0n)
  return (await unitsInvoicedSince(db, organisationId, since)) + usage - discount - credit
}

/** A marketplace bills what is used from now on, and not what a card has not paid. */
export async function requireNothingUnpaid(trx: Transaction<Schema>, organisationId: string): Promise<void> {
  const number = await invoiceNotPaid(trx, organisationId)
  if (number !== undefined)
    throw new AppError('Conflict', `The invoice ${number} is not paid. It must be, before this changes.`)
}
