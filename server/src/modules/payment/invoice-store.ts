import type { InvoiceState } from '@boathouse/contract'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { statesBefore } from './invoice-states.ts'

export type InvoiceRow = Selectable<Schema['invoices']>
export type LineRow = Selectable<Schema['invoice_lines']>

/** A part of a cent from the last one. */
export const carriedFrom = async (trx: Transaction<Schema>, organisationId: string): Promise<bigint> => {
  const row = await trx
    .selectFrom('invoices')
    .select('carried_out_units')
    .where('organisation_id', '=', organisationId)
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  return BigInt(row?.carried_out_units ?? 0)
}

export const balanceOf = async (db: Kysely<Schema>, organisationId: string): Promise<number> => {
  const row = await db
    .selectFrom('ccu_entries')
    .select((eb) => eb.fn.sum<string | null>('ccu_seconds').as('balance'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst()
  return Number(row?.balance ?? 0)
}

export const addToBalance = (db: Kysely<Schema>, row: Insertable<Schema['ccu_entries']>) =>
  db.insertInto('ccu_entries').values(row).execute()

/** Of accounts that were deleted. */
export const waitingLines = (trx: Transaction<Schema>, organisationId: string) =>
  linesThatWait(trx, organisationId).forUpdate().execute()

export const linesThatWait = (db: Kysely<Schema>, organisationId: string) =>
  db
    .selectFrom('invoice_lines')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('invoice_id', 'is', null)
    .orderBy('line_id')

/** What the invoices since a moment come to, before parts of cents are carried. */
export const unitsInvoicedSince = async (
  db: Kysely<Schema>,
  organisationId: string,
  since: Date,
): Promise<bigint> => {
  const row = await db
    .selectFrom('invoices')
    .select(
      sql<string>`coalesce(sum(usage_units - discount_units - credit_units), 0)::numeric(30)::text`.as(
        'units',
      ),
    )
    .where('organisation_id', '=', organisationId)
    .where('closed_at', '>=', since)
    .executeTakeFirstOrThrow()
  return BigInt(row.units)
}

/** Its number; undefined when everything is paid, or is paid elsewhere. */
export const invoiceNotPaid = async (trx: Transaction<Schema>, organisationId: string) =>
  (
    await trx
      .selectFrom('invoices')
      .select('number')
      .where('organisation_id', '=', organisationId)
      .where('state', 'in', ['open', 'charging', 'retrying', 'unpaid'])
      .orderBy('month')
      .executeTakeFirst()
  )?.number

export const insertInvoice = (trx: Transaction<Schema>, row: Insertable<Schema['invoices']>) =>
  trx.insertInto('invoices').values(row).execute()

const LINES_AT_ONCE = 500

type Amounts = readonly (number | string)[]

/** A new line comes with the hours that it is made of: arrays of the same length, of seconds or of bytes and units. */
export interface TakenLine extends Insertable<Schema['invoice_lines']> {
  readonly hours?: readonly Date[]
  readonly hour_regions?: readonly string[]
  readonly hour_seconds?: Amounts
  readonly hour_bytes?: Amounts
  readonly hour_units?: Amounts
}

function withoutHours(line: TakenLine): Insertable<Schema['invoice_lines']> {
  const { hours: _, hour_regions: _1, hour_seconds: _2, hour_bytes: _3, hour_units: _4, ...row } = line
  return row
}

async function keepHours(trx: Transaction<Schema>, line: TakenLine): Promise<void> {
  const { line_id, hours, hour_regions } = line
  if (!hours || !hour_regions) return
  const amounts = (given: Amounts | undefined): (number | string)[] => [...(given ?? hours.map(() => 0))]
  await sql`
    insert into invoice_line_hours (line_id, hour, region, seconds, bytes, storage_units)
    select ${line_id}::uuid, hour, region, seconds, bytes, units
    from unnest(${[...hours]}::timestamptz[], ${[...hour_regions]}::text[], ${amounts(line.hour_seconds)}::bigint[],
        ${amounts(line.hour_bytes)}::bigint[], ${amounts(line.hour_units)}::bigint[])
      as used (hour, region, seconds, bytes, units)`.execute(trx)
}

/** New lines, and those that waited. */
export async function keepLines(trx: Transaction<Schema>, lines: readonly TakenLine[]): Promise<void> {
  const rows = lines.map(withoutHours)
  for (let from = 0; from < rows.length; from += LINES_AT_ONCE)
    await trx
      .insertInto('invoice_lines')
      .values(rows.slice(from, from + LINES_AT_ONCE))
      .onConflict((conflict) =>
        conflict.column('line_id').doUpdateSet((eb) => ({
          invoice_id: eb.ref('excluded.invoice_id'),
          balance_ccu_seconds: eb.ref('excluded.balance_ccu_seconds'),
          discount_basis_points: eb.ref('excluded.discount_basis_points'),
          discount_units: eb.ref('excluded.discount_units'),
        })),
      )
      .execute()
  for (const line of lines) await keepHours(trx, line)
}

/** Locked: the next invoice that a card can pay, or whose answer is missing. */
export const takeDueInvoice = (
  trx: Transaction<Schema>,
  { now, provider, organisationId }: { now: Date; provider: string; organisationId?: string | undefined },
) =>
  trx
    .selectFrom('invoices')
    .innerJoin('payment_cards', 'payment_cards.organisation_id', 'invoices.organisation_id')
    .innerJoin('payment_customers', (join) =>
      join
        .onRef('payment_customers.organisation_id', '=', 'payment_cards.organisation_id')
        .onRef('payment_customers.provider', '=', 'payment_cards.provider'),
    )
    .selectAll('invoices')
    .select([
      'payment_customers.customer_ref',
      'payment_cards.card_ref as bound_card_ref',
      'payment_cards.brand as bound_brand',
      'payment_cards.last_digits as bound_last_digits',
    ])
    .where('payment_cards.provider', '=', provider)
    // A charge that was started with one provider is never sent to another.
    .where(({ eb, or }) =>
      or([
        eb('invoices.state', 'in', statesBefore('try')),
        eb.and([eb('invoices.state', '=', 'charging'), eb('invoices.provider', '=', provider)]),
      ]),
    )
    .where('invoices.next_attempt_at', '<=', now)
    .$if(organisationId !== undefined, (query) =>
      query.where('invoices.organisation_id', '=', organisationId ?? ''),
    )
    .orderBy('invoices.next_attempt_at')
    .limit(1)
    .forUpdate('invoices')
    .skipLocked()
    .executeTakeFirst()

/** False when it is not in this state, or at this try, any more. */
export const changeInvoice = async (
  db: Kysely<Schema>,
  at: { invoiceId: string; state: InvoiceState; attempts: number },
  change: Updateable<Schema['invoices']>,
): Promise<boolean> =>
  (await db
    .updateTable('invoices')
    .set(change)
    .where('invoice_id', '=', at.invoiceId)
    .where('state', '=', at.state)
    .where('attempts', '=', at.attempts)
    .returning('invoice_id')
    .executeTakeFirst()) !== undefined

/** Makes a pending charge due now; null when there is none. */
export const hastenInvoice = async (
  db: Kysely<Schema>,
  { invoiceId, provider }: { invoiceId: string; provider: string },
  at: Date,
): Promise<string | null> =>
  (
    await db
      .updateTable('invoices')
      .set({ next_attempt_at: at })
      .where('invoice_id', '=', invoiceId)
      .where('state', '=', 'charging')
      .where('provider', '=', provider)
      .returning('organisation_id')
      .executeTakeFirst()
  )?.organisation_id ?? null

/** Another card is tried at once with everything that the last one did not pay. */
export const reopenForNewCard = (trx: Transaction<Schema>, organisationId: string, at: Date) =>
  trx
    .updateTable('invoices')
    .set({ state: 'open', declines: 0, problem: null, next_attempt_at: at })
    .where('organisation_id', '=', organisationId)
    .where('state', 'in', statesBefore('new card'))
    .execute()

/** What a card owed is paid by contract. */
export const leaveToContract = (trx: Transaction<Schema>, organisationId: string) =>
  trx
    .updateTable('invoices')
    .set({ state: 'elsewhere', problem: null, next_attempt_at: null })
    .where('organisation_id', '=', organisationId)
    .where('state', 'in', statesBefore('contract'))
    .execute()

/** Its number; undefined when no card is being charged. */
export const invoiceBeingCharged = async (trx: Transaction<Schema>, organisationId: string) =>
  (
    await trx
      .selectFrom('invoices')
      .select('number')
      .where('organisation_id', '=', organisationId)
      .where('state', '=', 'charging')
      .executeTakeFirst()
  )?.number

export async function invoicesOf(
  db: Kysely<Schema>,
  organisationId: string,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const of = db.selectFrom('invoices').where('organisation_id', '=', organisationId)
  const { total } = await of.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await of
    .selectAll()
    .orderBy('month', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { rows, total }
}

export const invoiceOf = (db: Kysely<Schema>, organisationId: string, invoiceId: string) =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirst()

/** As many as a file can hold; a hundred accounts with ten warehouses of all sizes are fewer. */
const MOST_LINES = 20_000

export const linesOf = (db: Kysely<Schema>, invoiceId: string): Promise<LineRow[]> =>
  db
    .selectFrom('invoice_lines')
    .selectAll()
    .where('invoice_id', '=', invoiceId)
    .orderBy('month')
    .orderBy(sql`warehouse_id is null`)
    .orderBy('used_by_name')
    .orderBy('warehouse_name')
    .orderBy('size')
    .orderBy('usd_per_ccu')
    .orderBy('line_id')
    .limit(MOST_LINES)
    .execute()

export const lineOf = (db: Kysely<Schema>, organisationId: string, lineId: string) =>
  db
    .selectFrom('invoice_lines')
    .selectAll()
    .where('line_id', '=', lineId)
    .where('organisation_id', '=', organisationId)
    .where('invoice_id', 'is not', null)
    .executeTakeFirst()

/** At most one for each hour of a month and region. */
export const hoursOf = (db: Kysely<Schema>, lineId: string) =>
  db
    .selectFrom('invoice_line_hours')
    .select(['hour', 'region', 'seconds', 'bytes', 'storage_units'])
    .where('line_id', '=', lineId)
    .orderBy('hour')
    .orderBy('region')
    .execute()
