import { randomUUID } from 'node:crypto'
import { budget, payment, usage, WarehouseSize } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS, HOURS } from '../../testing/fake-clock.ts'
import { keepData } from '../../testing/keep-data.ts'
import { spend } from '../../testing/spend.ts'
import { startApp } from '../../testing/start-app.ts'
import { OPERATOR } from '../audit/author.ts'

const MARCH = new Date('2026-03-01T00:00:00Z')
const PRICES = ['1.580000', '0.680000', '1.234567', '0.000001']

const micros = (usd: string): bigint => {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(usd) ?? []
  const all = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
  return sign ? -all : all
}
const sumOf = (values: readonly string[]): bigint => values.reduce((all, usd) => all + micros(usd), 0n)
const cents = (usd: string): string => {
  const all = (micros(usd) + 5_000n) / 10_000n
  return `${all / 100n}.${String(all % 100n).padStart(2, '0')}`
}

test.each([3])(
  'compute and storage of a month are the same sum to the cent wherever they are shown (seed %i)',
  async (seed) => {
    let state = seed
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state % below
    }
    const app = await startApp()
    const other = await app.otherAccount()
    const [etl, theirs] = [randomUUID(), randomUUID()]
    const seen = new Set<string>()
    for (let i = 0; i < 60; i++) {
      const isOurs = random(2) === 0
      const hour = new Date(MARCH.getTime() + random(700) * HOURS)
      const size = WarehouseSize.options[random(3)] ?? 'Small'
      const usdPerCcu = PRICES[random(PRICES.length)] ?? '1.580000'
      const key = [isOurs, hour, size, usdPerCcu].join()
      if (seen.has(key)) continue
      seen.add(key)
      const of = isOurs ? { warehouseId: etl } : { accountId: other.accountId, warehouseId: theirs }
      await spend(app, { ...of, hour, size, usdPerCcu, seconds: 1 + random(3_600) })
    }
    for (let hour = 0; hour < 100; hour++)
      await keepData(app, {
        accountId: hour % 3 === 0 ? other.accountId : app.accountId,
        hour: new Date(MARCH.getTime() + hour * 7 * HOURS),
        bytes: random(2_000_000_000) * 997,
        usdPerGbMonth: hour < 50 ? '0.025000' : '0.031000',
      })
    // The last hour of the month: everything was used, and nothing is billed yet.
    app.clock.advance(31 * DAYS - 9 * HOURS - 1_000)
    const admin = await app.admin()
    await admin.call(budget.set, { usd: '1000' })
    const month = '2026-03'
    const { data: summary } = await admin.call(usage.summary, { month })
    const total = micros(summary.totalUsd)
    expect(micros(summary.storage.usd)).toBeGreaterThan(0n)
    // Of both apart a part of a millionth is rounded, of all together once.
    const apart = micros(summary.total.usd) + micros(summary.storage.usd)
    expect(apart - total >= -1n && apart - total <= 1n).toBe(true)
    expect(sumOf(summary.days.map(({ totalUsd }) => totalUsd))).toBe(apart)
    expect(sumOf(summary.accounts.map(({ totalUsd }) => totalUsd))).toBe(apart)
    expect(sumOf(summary.accounts.map(({ storageUsd }) => storageUsd))).toBe(micros(summary.storage.usd))
    const details: string[] = []
    for (const page of [1, 2]) {
      const { data } = await admin.call(usage.details, { month, page, pageSize: 200 })
      details.push(...data.rows.map(({ usd }) => usd))
      expect(
        data.rows.every(({ warehouseId, gbMonths }) => (warehouseId === null) === (gbMonths !== null)),
      ).toBe(true)
    }
    expect(
      cents(`${sumOf(details) / 1_000_000n}.${String(sumOf(details) % 1_000_000n).padStart(6, '0')}`),
    ).toBe(cents(summary.totalUsd))
    const { monthToDate } = (await admin.call(payment.overview, {})).data
    expect(monthToDate.usd).toBe(cents(summary.totalUsd))
    const [ofAll] = (await admin.call(budget.list, {})).data.budgets
    expect(ofAll?.spentUsd).toBe(monthToDate.usd)

    const [{ org } = { org: '' }] = (await app.operator('org list', {})) as { org: string }[]
    await app.payments.discounts.set({ organisationId: org, basisPoints: 1_234 }, OPERATOR)
    await app.payments.addCcu(org, 5, OPERATOR)
    app.clock.advance(1_000)
    await app.payments.closing.closeDue()
    const later = await app.admin()
    const [invoice] = (await later.call(payment.listInvoices, {})).data.invoices
    expect(invoice?.usageUsd).toBe(monthToDate.usd)
    const invoiceId = invoice?.invoiceId ?? ''
    const { usd, lines, parts } = (await later.call(payment.invoiceLines, { invoiceId, pageSize: 100 })).data
    expect(micros(usd)).toBe(total)
    expect(sumOf(lines.map((line) => line.usd))).toBe(total)
    expect(parts.map(({ kind }) => kind)).toEqual(['usage', 'discount', 'balance', 'carriedOut'])
    expect(sumOf(parts.map((part) => part.usd))).toBe(micros(invoice?.dueUsd ?? ''))
    for (const line of lines) {
      const hours = []
      for (let page = 1; page === 1 || hours.length % 100 === 0; page++) {
        const { data } = await later.call(payment.lineHours, { lineId: line.lineId, page, pageSize: 100 })
        hours.push(...data.hours)
        if (data.total <= page * 100) break
      }
      expect(hours.every(({ bytes }) => (bytes === null) === (line.warehouseId !== null))).toBe(true)
      // A line is rounded so that lines add up: it may be a millionth off.
      const off = sumOf(hours.map((hour) => hour.usd)) - micros(line.usd)
      expect(off >= -1n && off <= 1n, `${off}`).toBe(true)
    }
    const { base64 } = (await later.call(payment.invoiceFile, { invoiceId, file: 'csv' })).data
    const rows = Buffer.from(base64, 'base64').toString().trim().split('\r\n').slice(1)
    expect(sumOf(rows.map((row) => row.split(',')[10] ?? ''))).toBe(total)
  },
)
