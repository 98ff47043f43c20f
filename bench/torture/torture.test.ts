import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'
import { torture } from './torture.ts'

/** `npm run torture` demands 5 s of a machine that does nothing else; here other tests run at the same time. */
const BACK_WITHIN_MS = 120_000

test('nothing acknowledged is lost or doubled and every answer is true when engine, server, database and MySQL endpoint are killed under load', async () => {
  const { violations, acknowledged, cuts } = await torture({
    seed: 2026,
    // Of each part. How often it survives that is for `npm run torture`.
    kills: 1,
    consoles: 4,
    defines: true,
    backWithinMs: BACK_WITHIN_MS,
    tell: () => undefined,
  })
  expect(violations).toEqual([])
  expect(acknowledged).toBeGreaterThan(0)
  expect(cuts).toBeGreaterThan(0)
})

test('any text as SQL and any bytes as a message get a clear answer, and everything lives on', async () => {
  const { violations, answers } = await fuzz({ seed: 2026, texts: 300, messages: 300, tell: () => undefined })
  expect(violations).toEqual([])
  expect([...answers.keys()]).toEqual(
    expect.arrayContaining(['text: finished', 'text: QueryFailed', 'message: a good one lives on']),
  )
})
