import { randomUUID } from 'node:crypto'
import type { PaymentType } from '@boathouse/contract'
import type { Insertable, Kysely, Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import { ORG_IDENTITIES, ORG_SOURCES } from '../org/open-account.ts'
import { takeUnbilled, type UnbilledUsage } from '../warehouse/billed-usage-store.ts'
import { microUsdOf } from '../warehouse/prices.ts'
import {
  addToBalance,
  balanceOf,
  carriedFrom,
  insertInvoice,
  keepLines,
  waitingLines,
} from './invoice-store.ts'
import { dayText, monthAfter, monthOf, monthText } from './month.ts'
import { accountsOf, setBilledUntil, takeUnbilledOrganisation, trialOf } from './payer-store.ts'
import { spendBalance, sumOf } from './units.ts'

/** In one run, so that a clock that jumped by years does not hold others up. */
const MOST_AT_ONCE = 200

/** Everything, whenever it was. */
const FOR_EVER = new Date('9999-01-01T00:00:00Z')

type Line = Insertable<Schema['invoice_lines']>
type Organisation = NonNullable<Awaited<ReturnType<typeof takeUnbilledOrganisation>>>

/** BILL-13 to BILL-15 */
export function paymentTypeOf({ source, identity }: { source: number; identity: number }): PaymentType {
  if (identity === ORG_IDENTITIES.Contract) return 'contract'
  return source === ORG_SOURCES.Marketplace ? 'marketplace' : 'direct'
}

interface Taking {
  readonly organisationId: string
  readonly accounts: readonly { readonly account_id: string; readonly name: string }[]
  readonly until: Date
}

/** What was not billed yet becomes lines. Hours that began in the trial are free. */
async function takeLines(trx: Transaction<Schema>, taking: Taking): Promise<Line[]> {
  const { organisationId, accounts, until } = taking
  const trial = await trialOf(trx, organisationId)
  const trialUntil = trial ? (trial.ended_at ?? until) : null
  const used = await takeUnbilled(trx, {
    accountIds: accounts.map((one) => one.account_id),
    until,
    trialUntil,
  })
  const nameOf = new Map(accounts.map((one) => [one.account_id, one.name]))
  return used.map((one: UnbilledUsage) => {
    const { account_id, ...rest } = one
    return {
      ...rest,
      line_id: randomUUID(),
      organisation_id: organisationId,
      invoice_id: null,
      used_by: account_id,
      used_by_name: nameOf.get(account_id) ?? account_id,
    }
  })
}

/** Before an account is deleted: what it used is on the next invoice all the same. */
export async function keepUsageOf(
  trx: Transaction<Schema>,
  account: { account_id: string; organisation_id: string; name: string },
): Promise<void> {
  const lines = await takeLines(trx, {
    organisationId: account.organisation_id,
    accounts: [account],
    until: FOR_EVER,
  })
  await keepLines(trx, lines)
}

async function closeMonth(trx: Transaction<Schema>, organisation: Organisation, now: Date): Promise<void> {
  const { organisationId } = organisation
  const month = new Date(`${organisation.month}T00:00:00Z`)
  const until = monthAfter(month)
  await setBilledUntil(trx, organisationId, dayText(until))
  const accounts = await accountsOf(trx, organisationId)
  const waiting = await waitingLines(trx, organisationId)
  const rows = [...waiting, ...(await takeLines(trx, { organisationId, accounts, until }))]
  const lines = rows.map((row) => ({
    row,
    ccuSeconds: row.ccu_seconds,
    microUsd: microUsdOf(row.usd_per_ccu),
    inTrial: row.in_trial,
  }))
  if (lines.length === 0) return
  const priced = spendBalance(lines, await balanceOf(trx, organisationId))
  const carriedIn = await carriedFrom(trx, organisationId)
  const sum = sumOf(priced, carriedIn)
  const invoice_id = randomUUID()
  const isElsewhere = paymentTypeOf(organisation) !== 'direct'
  const isPaid = sum.dueCents === 0n
  await insertInvoice(trx, {
    invoice_id,
    organisation_id: organisationId,
    organisation_name: organisation.name,
    number: `${monthText(month)}-${organisation.rootAccountId ?? organisationId}`,
    month: dayText(month),
    closed_at: now,
    state: isPaid ? 'paid' : isElsewhere ? 'elsewhere' : 'open',
    usage_units: String(sum.usage),
    credit_units: String(sum.credit),
    carried_in_units: String(carriedIn),
    carried_out_units: String(sum.carriedOut),
    ccu_seconds: priced.reduce((all, line) => all + line.ccuSeconds, 0),
    due_cents: Number(sum.dueCents),
    next_attempt_at: isPaid || isElsewhere ? null : now,
  })
  await keepLines(
    trx,
    priced.map(({ row, balanceCcuSeconds }) => ({
      ...row,
      invoice_id,
      balance_ccu_seconds: balanceCcuSeconds,
    })),
  )
  const spent = priced.reduce((all, line) => all + line.balanceCcuSeconds, 0)
  if (spent > 0)
    await addToBalance(trx, {
      entry_id: randomUUID(),
      organisation_id: organisationId,
      ccu_seconds: -spent,
      invoice_id,
      at: now,
    })
}

export interface ClosingOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly log: Log
  /** Counts what runs up to now, so that as little as possible is late. */
  readonly meter: () => Promise<void>
}

/**
 * CARD-25: a month is closed as soon as its last day is over, UTC. Usage, lines, invoice and how far was billed are one
 * transaction: cut off anywhere, nothing has happened. What is metered later is on the next invoice.
 */
export function createClosing({ db, clock, log, meter }: ClosingOptions) {
  const closeNext = (now: Date): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const organisation = await takeUnbilledOrganisation(trx, dayText(monthOf(now)))
      if (!organisation) return false
      await closeMonth(trx, organisation, now)
      return true
    })

  return {
    async closeDue(): Promise<void> {
      let closed = 0
      const now = clock.now()
      while (closed < MOST_AT_ONCE) {
        if (closed === 0) await meter()
        if (!(await closeNext(now))) break
        closed++
      }
      if (closed > 0) log.info({ closed }, 'months were closed')
    },
  }
}
