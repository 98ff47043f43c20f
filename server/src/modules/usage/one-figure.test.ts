import { query, type QueryRsp, usage, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { createScriptedProvider } from '../../engines/scripted/provider.ts'
import { HOURS, MINUTES, SECONDS } from '../../testing/fake-clock.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'

const MONTH = { month: '2026-03' }

/** An app in which a statement runs for as long as the test moves the clock. */
async function atBoathouse() {
  const engines = createScriptedProvider()
  const app = await startApp({}, { engines })
  const admin = await app.admin()
  const channel = await admin.channel()
  // The warehouse runs from here on, at a whole second of its own.
  await channel.run('SELECT 0')

  /** Started, with the function that ends it. */
  async function begin(sql: string, error?: string) {
    let end = (): void => undefined
    let hasBegun = (): void => undefined
    const ends = new Promise<void>((resolve) => (end = resolve))
    const begun = new Promise<void>((resolve) => (hasBegun = resolve))
    engines.answer(sql, {
      get after() {
        hasBegun()
        return ends
      },
      ...(error === undefined ? {} : { error: { kind: 'data', message: error } }),
    })
    const answers = (await admin.channel()).run(sql)
    await begun
    return { end, answers }
  }

  async function runFor(sql: string, ms: number, error?: string) {
    const run = await begin(sql, error)
    app.clock.advance(ms)
    run.end()
    const answers = await run.answers
    await app.endsWritten()
    return answers.at(-1) as QueryRsp
  }
  return { app, admin, begin, runFor }
}

/** Every place that shows what a statement cost. */
async function figuresOf(admin: TestUser, queryId: string) {
  const { entry } = (await admin.call(query.detail, { queryId })).data
  const listed = (await admin.call(query.history, {})).data.entries.find((one) => one.queryId === queryId)
  const byMonth = (await admin.call(usage.byStatement, MONTH)).data
  const ofUser = (await admin.call(usage.byStatement, { ...MONTH, user: admin.name })).data
  const found = (await admin.call(query.history, { text: queryId })).data.entries[0]
  const inList = (all: typeof byMonth) => all.statements.find((one) => one.queryId === queryId)?.cost ?? null
  return { all: [entry.cost, listed?.cost, found?.cost, inList(byMonth), inList(ofUser)], byMonth }
}

/** The one figure that all of them show. */
async function figure(admin: TestUser, queryId: string) {
  const { all } = await figuresOf(admin, queryId)
  // Before anything is counted, no list of costs has it.
  const [first, ...others] = all.filter((one) => one !== null)
  for (const one of others) expect(one).toEqual(first)
  return first ?? null
}

/** Whatever happens to the warehouse later, what is final stays as it is. */
async function expectLasting({ app, admin }: { app: TestApp; admin: TestUser }, queryId: string) {
  const final = await figure(admin, queryId)
  expect(final?.isFinal ?? true).toBe(true)
  app.clock.advance(2 * HOURS)
  await app.warehouses.meter()
  const [{ warehouseId } = { warehouseId: '' }] = (await admin.call(warehouse.list, {})).data.warehouses
  await admin.call(warehouse.suspend, { warehouseId })
  expect(await figure(admin, queryId)).toEqual(final)
  return final
}

/** Of the first warehouse, which is Small, in the standard edition. */
const usdOf = (micros: number) => Math.round((micros * 2 * 1.58) / 3600)

const CASES: readonly (readonly [name: string, ms: number])[] = [
  ['a whole second', 1 * SECONDS],
  ['less than a second', 506],
  ['a little more than a second', 1_001],
  ['part of a second more than many', 23 * SECONDS + 737],
  ['minutes', 12 * MINUTES + 1],
]

test.each(CASES)(
  'a statement of %s has one price everywhere, an estimate first and then the final one',
  async (_, ms) => {
    const at = await atBoathouse()
    const { app, admin, runFor } = at
    app.clock.advance(333)
    const { queryId } = await runFor('SELECT 1', ms)
    expect(await figure(admin, queryId)).toEqual({ ccu: '0', usd: '0.00', seconds: 0, isFinal: false })
    await app.warehouses.meter()
    // Whole seconds of the warehouse alone are counted: the last part of one follows.
    const soFar = await figure(admin, queryId)
    expect(soFar?.isFinal).toBe((333 + ms) % SECONDS === 0)
    app.clock.advance(1 * SECONDS)
    await app.warehouses.meter()
    const final = await expectLasting(at, queryId)
    expect(final).toMatchObject({ seconds: ms / 1000, isFinal: true })
    expect(Math.round(Number(final?.usd) * 1e6)).toBe(usdOf(ms * 1000))
    const { runs } = (await admin.call(query.earlierRuns, { sql: 'SELECT 1' })).data
    expect(runs).toMatchObject([{ queryId, usd: final?.usd }])
  },
)

test('while it runs its price is so far, and statements beside one another pay one price together', async () => {
  const at = await atBoathouse()
  const { app, admin, begin } = at
  const [one, other] = [await begin('SELECT 1'), await begin('SELECT 2')]
  app.clock.advance(2 * SECONDS + 400)
  await app.warehouses.meter()
  const { entries } = (await admin.call(query.history, {})).data
  for (const sql of ['SELECT 1', 'SELECT 2'])
    expect(entries.find((entry) => entry.sql === sql)?.cost).toMatchObject({ seconds: 1, isFinal: false })
  one.end()
  const [{ queryId: first } = { queryId: '' }] = await one.answers
  await app.endsWritten()
  app.clock.advance(1 * SECONDS)
  other.end()
  const [{ queryId: second } = { queryId: '' }] = await other.answers
  await app.endsWritten()
  app.clock.advance(1 * SECONDS)
  await app.warehouses.meter()
  expect(await figure(admin, first)).toMatchObject({ seconds: 1.2, isFinal: true })
  expect(await figure(admin, second)).toMatchObject({ seconds: 2.2, isFinal: true })
  await expectLasting(at, second)
})

test('one that fails has one price as well', async () => {
  const at = await atBoathouse()
  const { queryId, errMsg } = await at.runFor('SELECT boom', 1_500, 'No such boat.')
  expect(errMsg).not.toBe('')
  at.app.clock.advance(2 * SECONDS)
  await at.app.warehouses.meter()
  await expectLasting(at, queryId)
})

test('one that is stopped has one price as well', async () => {
  const at = await atBoathouse()
  const { app, admin, begin } = at
  const run = await begin('SELECT slow')
  app.clock.advance(3_250)
  const [{ queryId } = { queryId: '' }] = (await admin.call(query.running, {})).data.entries
  const killed = admin.call(query.kill, { queryId })
  run.end()
  await killed
  await run.answers
  await app.endsWritten()
  expect(await figure(admin, queryId)).toMatchObject({ isFinal: false })
  app.clock.advance(1 * SECONDS)
  await app.warehouses.meter()
  expect(await expectLasting(at, queryId)).toMatchObject({ seconds: 3.25 })
})

test('the end of its warehouse makes the price final, with the minute that is charged at least', async () => {
  const at = await atBoathouse()
  const { admin, runFor } = at
  const { queryId } = await runFor('SELECT 1', 4_700)
  const [{ warehouseId } = { warehouseId: '' }] = (await admin.call(warehouse.list, {})).data.warehouses
  await admin.call(warehouse.suspend, { warehouseId })
  expect(await figure(admin, queryId)).toMatchObject({ seconds: 4.7, isFinal: true })
  await expectLasting(at, queryId)
})

test('one that ran over the hour has its part in each hour, and the same whole in both', async () => {
  const at = await atBoathouse()
  const { app, admin, runFor } = at
  app.clock.advance(59 * MINUTES + 58 * SECONDS)
  const { queryId } = await runFor('SELECT 1', 5 * SECONDS)
  app.clock.advance(1 * SECONDS)
  await app.warehouses.meter()
  const whole = await figure(admin, queryId)
  const parts = []
  for (const hour of ['2026-03-01T09:00:00Z', '2026-03-01T10:00:00Z']) {
    const { statements } = (await admin.call(usage.byStatement, { ...MONTH, hour })).data
    parts.push(statements.find((one) => one.queryId === queryId))
  }
  expect(parts.map((part) => part?.micros)).toEqual([2_000_000, 3_000_000])
  expect(parts.map((part) => part?.cost)).toEqual([whole, whole])
  expect(whole).toMatchObject({ seconds: 5, isFinal: true })
})

test('what the service answers itself, and what never ran, costs nothing and is not waited for', async () => {
  const { app, admin } = await atBoathouse()
  const channel = await admin.channel()
  const answers = await channel.run('SHOW WAREHOUSES; SELECT nothing_there; SELECT 2')
  await app.endsWritten()
  const { entries } = (await admin.call(query.history, {})).data
  const costOf = (queryId = '') => entries.find((entry) => entry.queryId === queryId)?.cost
  expect([costOf(answers[0]?.queryId), costOf(answers[2]?.queryId)]).toEqual([null, null])
})

test('rows, idle time and rounding are the month, however many rows are rounded', async () => {
  const { app, admin, runFor } = await atBoathouse()
  const micros = (usd = '0') => Math.round(Number(usd) * 1e6)
  for (const ms of [1, 2, 3, 7, 11, 13, 999, 1_003]) await runFor(`SELECT ${ms}`, ms)
  app.clock.advance(1 * MINUTES)
  await app.warehouses.meter()
  for (const user of [undefined, admin.name]) {
    const all = (await admin.call(usage.byStatement, { ...MONTH, ...(user && { user }) })).data
    const rows = all.statements.reduce((sum, { usd }) => sum + micros(usd), 0)
    const beside = micros(all.idle?.usd) + micros(all.forgotten?.usd) + micros(all.rounding.usd)
    expect(rows + beside).toBe(micros(all.total.usd))
    for (const { usd, cost } of all.statements) expect(cost.usd).toBe(usd)
  }
  const people = (await admin.call(usage.byUser, MONTH)).data
  const rows = people.users.reduce((sum, { usd }) => sum + micros(usd), 0)
  expect(rows + micros(people.idle?.usd) + micros(people.rounding.usd)).toBe(micros(people.total.usd))
})

test('a statement takes its own time, the same on the channel, in the history and of an answer again', async () => {
  const { app, admin, begin } = await atBoathouse()
  const text = 'SELECT slow; SELECT 7; SELECT no_such_column_here; SELECT 2'
  const run = await begin(' SELECT slow'.trim())
  run.end()
  await run.answers
  const channel = await admin.channel()
  const requestId = 'duration-of-each'
  const answers = await channel.run(text, { requestId })
  await app.endsWritten()
  const { entries } = (await admin.call(query.history, { text: requestId })).data
  const durations = answers.map(
    ({ queryId }) => entries.find((entry) => entry.queryId === queryId)?.durationMs ?? null,
  )
  expect(durations).toEqual(answers.map(({ timeUsed }) => (timeUsed === 0 ? null : timeUsed)))
  expect(durations.at(-1)).toBeNull()
  const again = await channel.run(text, { requestId })
  expect(again.map(({ timeUsed }) => timeUsed)).toEqual(answers.map(({ timeUsed }) => timeUsed))
})
