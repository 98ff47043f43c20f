import { payment } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { UNITS_PER_CENT } from '../../kernel/money.ts'
import { createLocalPayments } from '../../providers/payment/local-payments.ts'
import type { Schema } from '../../store/schema.ts'
import { bindCard } from '../../testing/bind-card.ts'
import { HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { keepData } from '../../testing/keep-data.ts'
import { spend } from '../../testing/spend.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { createCards } from './cards.ts'
import { createCharging } from './charging.ts'
import { createClosing } from './closing.ts'
import { createLocalMemory } from './local-memory-store.ts'
import { unitsOf } from './units.ts'

class Killed extends Error {}

/** A process that is killed after this many queries; its transaction is rolled back. */
function processOf(app: TestApp, steps: number) {
  let left = steps
  let isKilled = false
  const db: Kysely<Schema> = app.store.db.withPlugin({
    transformQuery({ node }) {
      if (left === 0) {
        isKilled = true
        throw new Killed()
      }
      left--
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const { clock } = app
  const provider = createLocalPayments({ memory: createLocalMemory({ db, clock }), clock })
  const log = { warn: () => undefined, info: () => undefined, error: () => undefined } as never
  const common = { db, provider, clock, log, mails: app.mails, onMoved: () => undefined }
  return {
    closing: createClosing({ ...common, meter: async () => undefined }),
    charging: createCharging(common),
    cards: createCards({ ...common, rateLimit: {} as never, onBound: async () => undefined }),
    /** False when it was killed before the end of the work. */
    async survives(work: () => Promise<void>): Promise<boolean> {
      await work().catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
      })
      return !isKilled
    },
  }
}

const monthAfter = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))

test('two years of months, leap day included: killed between any two steps of closing and charging, each month is billed and paid once', async () => {
  const app = await startApp()
  await bindCard(await app.admin(), 'visa')
  let used = 0n
  let survivals = 0
  let months = 0
  const lastDays = new Set<string>()
  for (; months < 26 || survivals === 0; months++) {
    const end = monthAfter(app.clock.now())
    const lastHour = new Date(end.getTime() - 1 * HOURS)
    lastDays.add(lastHour.toISOString().slice(0, 10))
    const seconds = 61 * (months + 1)
    await spend(app, { hour: lastHour, seconds })
    used +=
      unitsOf(4 * seconds, 1_580_000) +
      (await keepData(app, { hour: lastHour, bytes: 997 * 10 ** 9 * months }))
    app.clock.advance(end.getTime() - app.clock.now().getTime())
    const { closing, charging, survives } = processOf(app, months)
    const isThrough = await survives(async () => {
      await closing.closeDue()
      await charging.chargeDue()
    })
    if (isThrough) survivals++
    // Another process sends again what the first one has started.
    app.clock.advance(10 * MINUTES)
    await app.payments.closing.closeDue()
    await app.payments.charging.chargeDue()
    const rows = await app.store.db.selectFrom('invoices').selectAll().orderBy('month').execute()
    expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: months + 1 }, () => 'paid'))
    expect(rows.every(({ attempts }) => attempts === 1)).toBe(true)
    const due = rows.reduce((all, row) => all + BigInt(row.due_cents), 0n)
    expect(due * UNITS_PER_CENT + BigInt(rows.at(-1)?.carried_out_units ?? 0)).toBe(used)
    const { rows: charges } = await app.store.pool.query(
      `select count(*)::int as count from local_payments where object_id like 'charge %'`,
    )
    expect(charges).toEqual([{ count: months + 1 }])
  }
  expect(lastDays).toContain('2028-02-29')
  const { total } = (await (await app.admin()).call(payment.listInvoices, {})).data
  expect(total).toBe(months)
})

test('killed between any two steps of binding a card and detaching the one before, one card is bound and one is left', async () => {
  const app = await startApp()
  await bindCard(await app.admin(), 'visa')
  let isThrough = false
  for (let steps = 0; !isThrough; steps++) {
    app.clock.advance(1 * HOURS)
    const admin = await app.admin()
    const { clientSecret } = (await admin.call(payment.setupPaymentMethod, { force: true })).data
    const lastDigits = String(1_000 + steps)
    const entered = { clientSecret, card: 'visa', lastDigits, expires: '2039-12' } as const
    await admin.call(payment.confirmTestCard, entered)
    const { cards, survives } = processOf(app, steps)
    isThrough = await survives(async () => {
      await cards.followAll()
      app.clock.advance(2 * MINUTES)
      await cards.detachReplaced()
    })
    await app.payments.cards.followAll()
    app.clock.advance(5 * MINUTES)
    await app.payments.cards.detachReplaced()
    expect((await admin.call(payment.overview, {})).data.card).toMatchObject({ lastDigits })
    const { rows } = await app.store.pool.query(
      `select data->>'lastDigits' as digits from local_payments
       where object_id like 'card %' and not data ? 'isDetached'`,
    )
    expect(rows).toEqual([{ digits: lastDigits }])
  }
  expect(await app.store.db.selectFrom('replaced_cards').selectAll().execute()).toEqual([])
})
