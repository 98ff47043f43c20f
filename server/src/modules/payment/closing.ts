import { randomUUID } from 'node:crypto'
import type { PaymentType } from '@boathouse/contract'
import type { Insertable, Kysely, Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { PaymentProvider } from '../../providers/payment/payment-provider.ts'
import type { Schema } from '../../store/schema.ts'
import { ORG_IDENTITIES, ORG_SOURCES } from '../org/open-account.ts'
import { takeUnbilled, type UnbilledUsage } from '../warehouse/billed-usage-store.ts'
import { takeUnbilledStorage, type UnbilledStorage } from '../storage/billed-storage-store.ts'
import { microUsdOf } from '../warehouse/prices.ts'
import { discountsOf } from './discount-store.ts'
import { discountIn } from './discounts.ts'
import {
  addToBalance,
  balanceOf,
  carriedFrom,
  insertInvoice,
  keepLines,
  type TakenLine,
  waitingLines,
} from './invoice-store.ts'
import { dayText, monthAfter, monthText, unchargedMonth } from './month.ts'
import { accountsOf, setBilledUntil, takeUnbilledOrganisation, trialOf } from './payer-store.ts'
import { discountOfLine, spendBalance, sumOf } from './units.ts'

/** In one run, so that a clock that jumped by years does not hold others up. */
const MOST_AT_ONCE = 200

/** Everything, whenever it was. */
const FOR_EVER = new Date('9999-01-01T00:00:00Z')

type Line = Insertable<Schema['invoice_lines']>
type CommonOfLine = Pick<Line, 'line_id' | 'organisation_id' | 'invoice_id' | 'used_by' | 'used_by_name'>
type Organisation = NonNullable<Awaited<ReturnType<typeof takeUnbilledOrganisation>>>

/** How an organisation pays follows from where it signed up. */
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
async function takeLines(trx: Transaction<Schema>, taking: Taking): Promise<TakenLine[]> {
  const { organisationId, accounts, until } = taking
  const trial = await trialOf(trx, organisationId)
  const trialUntil = trial ? (trial.ended_at ?? until) : null
  const accountIds = accounts.map((one) => one.account_id)
  const used = await takeUnbilled(trx, { accountIds, until, trialUntil })
  const stored = await takeUnbilledStorage(trx, { accountIds, until, trialUntil })
  const nameOf = new Map(accounts.map((one) => [one.account_id, one.name]))
  const common = (account_id: string) => ({
    line_id: randomUUID(),
    organisation_id: organisationId,
    invoice_id: null,
    used_by: account_id,
    used_by_name: nameOf.get(account_id) ?? account_id,
  })
  return [
    ...used.map((one) => ofWarehouse(one, common(one.account_id))),
    ...stored.map((one) => ofStorage(one, common(one.account_id))),
  ]
}

function ofWarehouse(one: UnbilledUsage, common: CommonOfLine): TakenLine {
  const { account_id: _, ...line } = one
  return { ...line, ...common }
}

function ofStorage(one: UnbilledStorage, common: CommonOfLine): TakenLine {
  const { account_id: _, ...line } = one
  return {
    ...line,
    ...common,
    warehouse_id: null,
    warehouse_name: '',
    size: '',
    usd_per_ccu: '0',
    seconds: 0,
    ccu_seconds: 0,
  }
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

interface Closing {
  readonly organisation: Organisation
  readonly now: Date
  readonly leastCents: number
}

async function closeMonth(
  trx: Transaction<Schema>,
  { organisation, now, leastCents }: Closing,
): Promise<void> {
  const { organisationId } = organisation
  const month = new Date(`${organisation.month}T00:00:00Z`)
  const until = monthAfter(month)
  await setBilledUntil(trx, organisationId, dayText(until))
  const accounts = await accountsOf(trx, organisationId)
  const waiting = await waitingLines(trx, organisationId)
  const rows: TakenLine[] = [...waiting, ...(await takeLines(trx, { organisationId, accounts, until }))]
  const discounts = await discountsOf(trx, organisationId)
  const lines = rows.map((row) => ({
    row,
    discountBasisPoints: row.in_trial ? 0 : (discountIn(discounts, row.month)?.basis_points ?? 0),
    ccuSeconds: row.ccu_seconds,
    microUsd: microUsdOf(row.usd_per_ccu),
    inTrial: row.in_trial,
    storageUnits: BigInt(row.storage_units ?? 0),
  }))
  if (lines.length === 0) return
  const priced = spendBalance(lines, await balanceOf(trx, organisationId))
  const carriedIn = await carriedFrom(trx, organisationId)
  const isElsewhere = paymentTypeOf(organisation) !== 'direct'
  const sum = sumOf(priced, carriedIn, isElsewhere ? 1 : leastCents)
  const invoice_id = randomUUID()
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
    discount_units: String(sum.discount),
    credit_units: String(sum.credit),
    carried_in_units: String(carriedIn),
    carried_out_units: String(sum.carriedOut),
    ccu_seconds: priced.reduce((all, line) => all + line.ccuSeconds, 0),
    due_cents: Number(sum.dueCents),
    next_attempt_at: isPaid || isElsewhere ? null : now,
  })
  await keepLines(
    trx,
    priced.map((line) => ({
      ...line.row,
      invoice_id,
      balance_ccu_seconds: line.balanceCcuSeconds,
      discount_basis_points: line.discountBasisPoints,
      discount_units: String(discountOfLine(line)),
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
  readonly provider: Pick<PaymentProvider, 'leastCents'> | null
  readonly clock: Clock
  readonly log: Log
  /** Counts what runs up to now, so that as little as possible is late. */
  readonly meter: () => Promise<void>
}

/**
 * A month is closed in the last minutes of its last day, UTC. Usage, lines, invoice and the billed period are one
 * transaction: after a crash nothing has happened. Later usage is on the next invoice.
 */
export function createClosing({ db, provider, clock, log, meter }: ClosingOptions) {
  const closeNext = (now: Date): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const organisation = await takeUnbilledOrganisation(trx, dayText(unchargedMonth(now)))
      if (!organisation) return false
      await closeMonth(trx, { organisation, now, leastCents: provider?.leastCents ?? 1 })
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
