import { payment, WarehouseSize } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { UNITS_PER_CENT, usdOfCents } from '../../kernel/money.ts'
import { bindCard } from '../../testing/bind-card.ts'
import { DAYS, HOURS } from '../../testing/fake-clock.ts'
import { keepData } from '../../testing/keep-data.ts'
import { spend } from '../../testing/spend.ts'
import { startApp } from '../../testing/start-app.ts'
import { OPERATOR } from '../audit/author.ts'
import { ccuSeconds, microUsdOf } from '../warehouse/prices.ts'
import { unitsOf } from './units.ts'
import { INVOICE_TRANSITIONS, invoiceStateAfter } from './invoice-states.ts'

/** Always the same, so that a failure can be seen again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

const PRICES = ['1.580000', '0.680000', '1.234567', '0.000001']

test.each([7, 2_026])(
  'money is neither made nor lost: two years of months with usage at random, late, at changing prices and discounts (seed %i)',
  async (seed) => {
    const random = randomOf(seed)
    const app = await startApp()
    const other = await app.otherAccount()
    await bindCard(await app.admin(), 'visa')
    const { organisation_id: organisationId } = await app.store.db
      .selectFrom('organisations')
      .select('organisation_id')
      .executeTakeFirstOrThrow()
    let used = 0n
    let stored = 0n
    let isFebruaryOfALeapYear = false
    for (let week = 0; week < 110; week++) {
      for (let i = random(4); i > 0; i--) {
        const size = WarehouseSize.options[random(WarehouseSize.options.length)] ?? 'Small'
        const usdPerCcu = PRICES[random(PRICES.length)] ?? '1.580000'
        const seconds = 1 + random(3_600)
        const hour = new Date(app.clock.now().getTime() - random(40) * DAYS - random(24) * HOURS)
        used += unitsOf(ccuSeconds(size, seconds), microUsdOf(usdPerCcu))
        await spend(app, {
          accountId: random(2) === 0 ? app.accountId : other.accountId,
          hour,
          seconds,
          size,
          usdPerCcu,
        })
      }
      if (random(3) === 0) {
        const bytes = random(2_000_000_000) * 1_000 + random(1_000)
        stored += BigInt(bytes)
        used += await keepData(app, {
          hour: new Date(app.clock.now().getTime() - random(40) * DAYS - week * 1_000),
          bytes,
          usdPerGbMonth: random(2) === 0 ? '0.025000' : '0.031000',
        })
      }
      if (random(15) === 0)
        await app.payments.discounts.set({ organisationId, basisPoints: random(10_001) }, OPERATOR)
      if (random(10) === 0) await app.payments.addCcu(organisationId, random(20) + 1, OPERATOR)
      isFebruaryOfALeapYear ||= app.clock.now().toISOString().startsWith('2028-02')
      app.clock.advance(7 * DAYS)
      await app.payments.closing.closeDue()
      await app.payments.charging.chargeDue()
    }
    app.clock.advance(62 * DAYS)
    await app.payments.closing.closeDue()
    await app.payments.charging.chargeDue()
    expect(isFebruaryOfALeapYear).toBe(true)

    const rows = await app.store.db.selectFrom('invoices').selectAll().orderBy('month').execute()
    const sum = (of: (row: (typeof rows)[number]) => bigint) => rows.reduce((all, row) => all + of(row), 0n)
    const due = sum((row) => BigInt(row.due_cents))
    const left = BigInt(rows.at(-1)?.carried_out_units ?? 0)
    const lines = await app.store.db.selectFrom('invoice_lines').selectAll().execute()
    expect(lines.reduce((all, line) => all + BigInt(line.byte_hours), 0n)).toBe(stored)
    expect(sum((row) => BigInt(row.usage_units))).toBe(used)
    const discount = sum((row) => BigInt(row.discount_units))
    expect(discount).toBeGreaterThan(0n)
    expect(lines.reduce((all, line) => all + BigInt(line.discount_units), 0n)).toBe(discount)
    expect(due * UNITS_PER_CENT + discount + sum((row) => BigInt(row.credit_units)) + left).toBe(used)
    const { rows: hours } = await app.store.pool.query(
      `select sum(seconds) as seconds, sum(bytes) as bytes, sum(storage_units) as units from invoice_line_hours
       union all select sum(seconds), sum(byte_hours), sum(storage_units) from invoice_lines`,
    )
    expect(hours[0]).toEqual(hours[1])
    expect(left < UNITS_PER_CENT).toBe(true)
    expect(rows.every((row) => row.state === 'paid')).toBe(true)
    const { rows: balance } = await app.store.pool.query<{ left: string }>(
      'select sum(ccu_seconds) as left from ccu_entries',
    )
    expect(Number(balance[0]?.left ?? 0)).toBeGreaterThanOrEqual(0)
    const { data } = await (await app.admin()).call(payment.listInvoices, { pageSize: 100 })
    expect(data.total).toBe(rows.length)
  },
)

test('cents are written with two places', () => {
  expect([0, 5, 60, 1_234, 100_000].map((cents) => usdOfCents(cents))).toEqual([
    '0.00',
    '0.05',
    '0.60',
    '12.34',
    '1000.00',
  ])
})

test('what is paid or billed elsewhere stays so, and while it is charging only the answer leads on', () => {
  expect(INVOICE_TRANSITIONS.filter(([from]) => from === 'paid' || from === 'elsewhere')).toEqual([])
  expect(invoiceStateAfter('charging', 'try')).toBeUndefined()
  expect(invoiceStateAfter('charging', 'new card')).toBeUndefined()
})
