import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { freshStore } from '../../testing/leased-store.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { whileOtherWrites } from '../../testing/locked-out.ts'
import { createMetering, type EndReason } from './metering.ts'
import { insertRun } from './run-store.ts'
import { createSlotLedger } from './slot-ledger.ts'

const store = await freshStore()
const { db, pool } = store
const ACCOUNT = 'MET00001'
const SECONDS = 1000

beforeAll(async () => {
  await pool.query(
    `insert into organisations (organisation_id, name, identity, source, created_at) values (gen_random_uuid(), 'Meter', 1, 1, now())`,
  )
  await pool.query(
    `insert into accounts (account_id, organisation_id, name, csp, region, edition, state, shell_state, creator, created_at)
     select $1, organisation_id, 'meter', 'local', 'local-1', 'standard', 2, 2, 'me', now() from organisations`,
    [ACCOUNT],
  )
})

/** A warehouse that has just begun to run, with a meter of its own. */
async function running(start = '2026-03-01T09:00:00.250Z') {
  const clock = fakeClock(new Date(start))
  const [warehouseId, runId] = [randomUUID(), randomUUID()]
  const live = new Set([runId])
  const ledger = createSlotLedger(clock)
  const meter = () => createMetering({ db, clock, ledger, running: () => live })
  await insertRun(db, {
    run_id: runId,
    account_id: ACCOUNT,
    warehouse_id: warehouseId,
    warehouse_name: 'w',
    size: 'Small',
    started_at: clock.now(),
  })
  const metering = meter()
  return {
    clock,
    warehouseId,
    runId,
    live,
    ledger,
    metering,
    meter,
    async end(reason: EndReason) {
      live.delete(runId)
      metering.ended(runId, { at: clock.now(), reason })
      await metering.count()
    },
    /** Charged seconds by hour and size. */
    async usage() {
      const rows = await db
        .selectFrom('warehouse_usage')
        .selectAll()
        .where('warehouse_id', '=', warehouseId)
        .orderBy('hour')
        .orderBy('size')
        .execute()
      return rows.map(({ hour, size, seconds }) => `${hour.toISOString().slice(11, 13)} ${size} ${seconds}`)
    },
    runs: () =>
      db
        .selectFrom('warehouse_runs')
        .selectAll()
        .where('warehouse_id', '=', warehouseId)
        .orderBy('started_at')
        .execute(),
  }
}

/** The database refuses to write usage during the work, as if the service died in the middle of a transaction. */
async function withBrokenUsage(work: () => Promise<unknown>): Promise<void> {
  await pool.query(
    `create function refuse() returns trigger as 'begin raise exception ''cut off''; end' language plpgsql`,
  )
  await pool.query(
    'create trigger refuse before insert on warehouse_usage for each row execute function refuse()',
  )
  try {
    await expect(work()).rejects.toThrow('cut off')
  } finally {
    await pool.query('drop function refuse cascade')
  }
}

test('however often it is counted, the hours add up to the seconds that it ran', async () => {
  const { clock, metering, usage, runs, end } = await running('2026-03-01T08:59:30.400Z')
  for (const step of [999, 1, 500, 500, 10_000, 60_000, 1, 3_600_000, 250]) {
    clock.advance(step)
    await metering.count()
    await metering.count()
  }
  await end('suspended')
  expect(await usage()).toEqual(['08 Small 30', '09 Small 3600', '10 Small 42'])
  expect(await runs()).toMatchObject([{ ended_at: clock.now(), end_reason: 'suspended' }])
})

test('two that count at the same moment count once', async () => {
  const { clock, meter, usage } = await running()
  clock.advance(90 * SECONDS)
  await Promise.all(Array.from({ length: 4 }, () => meter().count()))
  expect(await usage()).toEqual(['09 Small 90'])
})

test('an end is not lost to someone who counts at the same moment', async () => {
  const { clock, runId, warehouseId, end, usage, runs } = await running()
  clock.advance(90 * SECONDS)
  const countedElsewhere = [
    `update warehouse_runs set metered_until = metered_until + interval '30 s' where run_id = '${runId}'`,
    `insert into warehouse_usage values ('${ACCOUNT}', '${warehouseId}', '2026-03-01T09:00:00Z', 'Small', 30, 'standard', 'local-1', 1.58)`,
  ]
  await whileOtherWrites(pool, countedElsewhere, () => end('suspended'))
  expect(await usage()).toEqual(['09 Small 90'])
  expect(await runs()).toMatchObject([{ end_reason: 'suspended', ended_at: clock.now() }])
})

test('cut off between counting and writing down, nothing is lost and nothing is counted twice', async () => {
  const { clock, metering, meter, usage, runs } = await running()
  clock.advance(10 * SECONDS)
  await metering.count()
  clock.advance(10 * SECONDS)
  await withBrokenUsage(() => metering.count())
  expect((await runs())[0]?.metered_until).toEqual(new Date('2026-03-01T09:00:10.250Z'))
  clock.advance(5 * SECONDS)
  await meter().count()
  expect(await usage()).toEqual(['09 Small 25'])
})

test('an end that could not be written is written later, with the time it had', async () => {
  const { clock, metering, end, usage, runs } = await running()
  clock.advance(70 * SECONDS)
  const endedAt = clock.now()
  await withBrokenUsage(() => end('suspended'))
  clock.advance(600 * SECONDS)
  await metering.count()
  expect(await usage()).toEqual(['09 Small 70'])
  expect(await runs()).toMatchObject([{ ended_at: endedAt, end_reason: 'suspended' }])
})

test('a run that ended is not counted any more, not even by another meter', async () => {
  const { clock, meter, end, usage } = await running()
  clock.advance(100 * SECONDS)
  await end('idle')
  clock.advance(100 * SECONDS)
  await meter().count()
  expect(await usage()).toEqual(['09 Small 100'])
})

test.each(['suspended', 'idle', 'deleted'] as const)(
  'at least a minute is charged when it is %s, in the hour in which it was resumed',
  async (reason) => {
    const { clock, end, usage } = await running('2026-03-01T08:59:50Z')
    clock.advance(20 * SECONDS)
    await end(reason)
    expect(await usage()).toEqual(['08 Small 50', '09 Small 10'])
  },
)

test('a statement of a warehouse that ran for less than a second has its share of the minute', async () => {
  const { clock, ledger, warehouseId, end, usage } = await running()
  const queryId = randomUUID()
  clock.advance(200)
  const release = ledger.begin(warehouseId, queryId)
  clock.advance(300)
  release()
  clock.advance(200)
  await end('suspended')
  expect(await usage()).toEqual(['09 Small 60'])
  const shares = await db.selectFrom('statement_usage').selectAll().where('query_id', '=', queryId).execute()
  expect(shares.map(({ micros }) => micros)).toEqual([300_000])
})

test.each(['crashed', 'service stopped'] as const)(
  'nobody is charged a minimum when it %s',
  async (reason) => {
    const { clock, end, usage } = await running()
    clock.advance(20 * SECONDS)
    await end(reason)
    expect(await usage()).toEqual(['09 Small 20'])
  },
)

test('a resize begins a run of the new size without losing a part of a second', async () => {
  const { clock, live, runId, metering, usage, runs } = await running()
  clock.advance(90_700)
  const next = randomUUID()
  await metering.resize(runId, { runId: next, size: 'Large' })
  live.delete(runId)
  live.add(next)
  clock.advance(29_300)
  await metering.count()
  expect(await usage()).toEqual(['09 Large 30', '09 Small 90'])
  const [first, second] = await runs()
  expect(first).toMatchObject({ end_reason: 'resized', ended_at: second?.started_at })
})

test('the minimum is one for each resume, however often the size changes in it', async () => {
  const { clock, live, runId, metering, usage } = await running('2026-03-01T08:59:55Z')
  let current = runId
  for (const size of ['Medium', 'Large'] as const) {
    clock.advance(10 * SECONDS)
    const next = randomUUID()
    await metering.resize(current, { runId: next, size })
    live.delete(current)
    live.add(next)
    current = next
  }
  clock.advance(10 * SECONDS)
  live.delete(current)
  metering.ended(current, { at: clock.now(), reason: 'suspended' })
  await metering.count()
  // 10 s of each size, and the 30 s that were missing at the last size, in the hour of the resume.
  expect(await usage()).toEqual(['08 Large 30', '08 Small 5', '09 Large 10', '09 Medium 10', '09 Small 5'])
})

test.each([
  ['the last sign of life of its engine', '2026-03-01T09:02:00Z', 119],
  ['the last count, where there was no sign', null, 60],
  ['the last count, where the sign is older', '2026-03-01T08:00:00Z', 60],
  ['now, where the sign lies in the future', '2026-03-01T23:00:00Z', 300],
])('a run that a dead server left open ended at %s', async (_, sign, seconds) => {
  const { clock, metering, meter, usage, runs } = await running()
  clock.advance(60 * SECONDS)
  await metering.count()
  clock.advance(240 * SECONDS)
  const successor = meter()
  await successor.closeOpenRuns(async () => (sign === null ? null : new Date(sign)))
  await successor.closeOpenRuns(async () => clock.now())
  expect(await usage()).toEqual([`09 Small ${seconds}`])
  expect(await runs()).toMatchObject([{ end_reason: 'service stopped' }])
})
