import { expect, test } from 'vitest'
import { freshStore } from '../../testing/leased-store.ts'
import { fakeClock, HOURS } from '../../testing/fake-clock.ts'
import { createRateLimit } from '../attempt/rate-limit.ts'
import { createErrorReports } from './service.ts'

const { db, pool } = await freshStore()

async function setUp() {
  await db.deleteFrom('client_errors').execute()
  await db.deleteFrom('attempts').execute()
  const clock = fakeClock()
  const reports = createErrorReports({ db, rateLimit: createRateLimit({ db, clock }), clock })
  return {
    clock,
    reports,
    report: (clientIp: string, message: string) => reports.report({ clientIp, requestId: 'r' }, message),
  }
}

const kept = async () =>
  (await db.selectFrom('client_errors').select('message').orderBy('client_error_id').execute()).map(
    ({ message }) => message,
  )

test('of many reports an address has 60 written down, and all addresses together 600', async () => {
  const { report } = await setUp()
  for (const address of Array.from({ length: 12 }, (_, number) => `10.0.0.${number}`)) {
    const outcomes: string[] = []
    for (const round of [1, 2])
      for (const { status } of await Promise.allSettled(
        Array.from({ length: 40 }, () => report(address, `round ${round}`)),
      ))
        outcomes.push(status)
    expect(outcomes.filter((status) => status === 'fulfilled').length).toBeLessThanOrEqual(60)
  }
  expect(await kept()).toHaveLength(600)
})

test('reports are kept for 30 days', async () => {
  const { report, reports, clock } = await setUp()
  await report('10.0.0.1', 'old')
  clock.advance(24 * HOURS)
  await report('10.0.0.1', 'new')
  clock.advance(29 * 24 * HOURS + 1)
  await reports.forgetOld()
  expect(await kept()).toEqual(['new'])
})

test('of more than 10,000 the newest are kept', async () => {
  const { reports, clock } = await setUp()
  await pool.query(
    'insert into client_errors (message, created_at) select n::text, $1 from generate_series(1, 12345) n',
    [clock.now()],
  )
  await reports.forgetOld()
  const messages = await kept()
  expect([messages.length, messages[0]]).toEqual([10_000, '2346'])
})
