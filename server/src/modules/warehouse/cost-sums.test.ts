import { randomUUID } from 'node:crypto'
import type { WarehouseSize } from '@boathouse/contract'
import { beforeAll, expect, test } from 'vitest'
import { freshStore } from '../../testing/leased-store.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { takeUnbilled } from './billed-usage-store.ts'
import { createMetering, type EndReason } from './metering.ts'
import { insertRun } from './run-store.ts'
import { createSlotLedger } from './slot-ledger.ts'
import { costsOfStatements } from './statement-costs.ts'
import { usageOf } from './usage.ts'
import { createUsageStore } from './usage-store.ts'

const store = await freshStore()
const { db, pool } = store
const ACCOUNT = 'SUM00001'
const SCHEDULES = 12
const STEPS = 60
const HOUR_SECONDS = 3_600
const SIZES: readonly WarehouseSize[] = ['X-Small', 'Small', 'Medium', 'X-Large']
const ENDS: readonly EndReason[] = ['suspended', 'idle', 'crashed', 'deleted']

beforeAll(async () => {
  await pool.query(
    `insert into organisations (organisation_id, name, identity, source, created_at) values (gen_random_uuid(), 'Sum', 1, 1, now())`,
  )
  await pool.query(
    `insert into accounts (account_id, organisation_id, name, csp, region, edition, state, shell_state, creator, created_at)
     select $1, organisation_id, 'sum', 'local', 'local-1', 'standard', 2, 2, 'me', now() from organisations`,
    [ACCOUNT],
  )
})

/** Numbers that look random and are the same with every run. */
function dice(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), state | 1)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Warehouses of one account, whose server can die at any moment. */
function account(seed: number) {
  const roll = dice(seed)
  const clock = fakeClock(new Date('2026-03-01T08:59:30.123Z'))
  const warehouses = Array.from({ length: 3 }, () => ({ id: randomUUID(), runId: '', size: 'X-Small' }))
  const statements: string[] = []
  const open = new Map<string, () => void>()
  let ledger = createSlotLedger(clock)
  const live = () => new Set(warehouses.map(({ runId }) => runId).filter(Boolean))
  let metering = createMetering({ db, clock, ledger, running: live })
  const some = <T>(all: readonly T[]): T => all[roll(all.length)] as T

  const acts: Readonly<Record<string, () => Promise<void> | void>> = {
    async resume() {
      const warehouse = some(warehouses)
      if (warehouse.runId) return
      const run_id = randomUUID()
      const size = some(SIZES)
      const started_at = clock.now()
      const of = { account_id: ACCOUNT, warehouse_id: warehouse.id, warehouse_name: 'w', size }
      await insertRun(db, { run_id, ...of, started_at })
      Object.assign(warehouse, { runId: run_id, size })
    },
    begin() {
      const warehouse = some(warehouses)
      if (!warehouse.runId) return
      const queryId = randomUUID()
      statements.push(queryId)
      open.set(queryId, ledger.begin(warehouse.id, queryId))
    },
    end() {
      const queryId = some([...open.keys()])
      open.get(queryId)?.()
      open.delete(queryId)
    },
    count: () => metering.count(),
    async resize() {
      const warehouse = some(warehouses)
      if (!warehouse.runId) return
      const next = { runId: randomUUID(), size: some(SIZES) }
      await metering.resize(warehouse.runId, next)
      Object.assign(warehouse, next)
    },
    async stop() {
      const warehouse = some(warehouses)
      if (!warehouse.runId) return
      metering.ended(warehouse.runId, { at: clock.now(), reason: some(ENDS) })
      warehouse.runId = ''
      await metering.count()
    },
    /** Written half, as if the service had died: nothing of it holds. */
    async cutOff() {
      await pool.query(
        `create function refuse() returns trigger as 'begin raise exception ''cut off''; end' language plpgsql;
         create trigger refuse before insert on statement_usage for each row execute function refuse()`,
      )
      await metering.count().catch(() => undefined)
      await pool.query('drop function refuse cascade')
    },
    /** What the server knew of who holds which slot is gone; the engines lived a little longer than it counted. */
    async die() {
      ledger = createSlotLedger(clock)
      metering = createMetering({ db, clock, ledger, running: live })
      open.clear()
      for (const warehouse of warehouses) warehouse.runId = ''
      const lastAlive = new Date(clock.now().getTime() - roll(3000))
      await metering.closeOpenRuns(async () => lastAlive)
    },
  }
  const names = [
    'resume',
    'begin',
    'begin',
    'begin',
    'end',
    'end',
    'count',
    'count',
    'resize',
    'stop',
    'cutOff',
    'die',
  ]

  return {
    clock,
    warehouses,
    statements,
    async step() {
      clock.advance(some([0, 1, 7, 333, 1000, 2500, 61_000, 1_800_000]))
      await acts[some(names)]?.()
    },
    finish: () => metering.count(),
  }
}

const micros = (usd: string): number => Math.round(Number(usd) * 1_000_000)

test.each(Array.from({ length: SCHEDULES }, (_, index) => index + 1))(
  'what statements and idle time cost is what warehouse and account cost, to the cent, whatever happens: schedule %i',
  async (seed) => {
    const { clock, warehouses, statements, step, finish } = account(seed)
    for (let n = 0; n < STEPS; n++) await step()
    await finish()
    const { rows: sums } = await pool.query<{ off: string; negative: string }>(
      `select count(*) filter (where busy_micros <> coalesce(shared, 0)) as off,
         count(*) filter (where busy_micros < 0 or busy_micros > seconds * 1000000) as negative
       from warehouse_usage u left join (
         select warehouse_id, hour, size, usd_per_ccu, sum(micros) as shared from statement_usage group by 1, 2, 3, 4
       ) s using (warehouse_id, hour, size, usd_per_ccu)
       where warehouse_id = any($1::uuid[])`,
      [warehouses.map(({ id }) => id)],
    )
    expect(sums[0]).toEqual({ off: 0, negative: 0 })

    const usage = createUsageStore(db)
    const costs = await costsOfStatements(
      db,
      statements.map((queryId) => ({ queryId, warehouseId: null, endedAt: clock.now() })),
    )
    const ofStatements = [...costs.values()].reduce((sum, { usd }) => sum + micros(usd), 0)
    const months = await Promise.all(
      warehouses.map(({ id }) => usageOf(usage, { warehouseId: id, now: clock.now() })),
    )
    const total = months.reduce((sum, { monthToDate }) => sum + micros(monthToDate.usd), 0)
    const idle = months.reduce((sum, { monthToDate }) => sum + micros(monthToDate.idle.usd), 0)
    expect(total).toBeGreaterThan(0)
    // Each figure is rounded once, to the millionth.
    expect(Math.abs(ofStatements + idle - total)).toBeLessThanOrEqual(statements.length + warehouses.length)
    expect(Math.abs(ofStatements + idle - total) / 1_000_000).toBeLessThan(0.005)

    // What the account is billed for is the sum of its warehouses, each second once.
    const question = { accountIds: [ACCOUNT], until: new Date('2027-01-01T00:00:00Z'), trialUntil: null }
    const take = () => db.transaction().execute((trx) => takeUnbilled(trx, question))
    const billed = (await take()).reduce(
      (sum, { ccu_seconds, usd_per_ccu }) => sum + (ccu_seconds * micros(usd_per_ccu)) / HOUR_SECONDS,
      0,
    )
    expect(Math.abs(billed - total)).toBeLessThanOrEqual(warehouses.length)
    expect(await take()).toEqual([])
  },
)

test('the schedules are such that statements share, and some time is idle', async () => {
  const { rows } = await pool.query<{ busy: number; all: number }>(
    'select sum(busy_micros)::float8 as busy, sum(seconds * 1000000)::float8 as all from warehouse_usage',
  )
  const { busy, all } = rows[0] ?? { busy: 0, all: 0 }
  expect(busy).toBeGreaterThan(0)
  expect(busy).toBeLessThan(all)
})
