import { expect, onTestFinished, test } from 'vitest'
import { filesOf, rowsIn } from '../../../testing/load-kit.ts'
import { startApp } from '../../../testing/start-app.ts'
import { begun, streamed } from '../../../testing/stream-kit.ts'

const SENDERS = 50

test('bodies that come byte by byte end by their timeout in words, and others are served meanwhile', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const slow = await Promise.all(
    Array.from({ length: SENDERS }, (_, at) =>
      begun(app, { headers: { column_separator: ',', label: `slow-${at}`, timeout: '2' } }),
    ),
  )
  // The service ends a connection behind its answer, in the middle of what still comes.
  for (const { request } of slow) request.on('error', () => undefined)
  // Never silent for long, so that only the timeout ends them.
  const text = '1,abcdefgh\n'
  let sent = 0
  const drip = setInterval(() => {
    for (const { request } of slow) request.write(text.charAt(sent % text.length))
    sent++
  }, 100)
  onTestFinished(() => clearInterval(drip))
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      streamed(app, `${at},quick\n`, { headers: { column_separator: ',' } }),
    ),
  )
  expect(new Set(others.map(({ body }) => body.Status))).toEqual(new Set(['Success']))
  const answers = await Promise.all(slow.map(({ answer }) => answer))
  clearInterval(drip)
  for (const { request } of slow) request.destroy()
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.Status}: ${body.Message}`))).toEqual(
    new Set(['200 Fail: The load took longer than its timeout of 2 seconds. Nothing was loaded.']),
  )
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.t')).toEqual([['20']])
  expect(await filesOf(app)).toEqual([])
})

test('an empty label is no label: each of such loads is a load of its own', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const load = async (label: string) =>
    (await streamed(app, '1,a\n', { headers: { column_separator: ',', label } })).body
  const [first, second] = [await load(''), await load('  ')]
  expect([first.Status, second.Status]).toEqual(['Success', 'Success'])
  expect(first.Label).toMatch(/^[0-9a-f-]{36}$/)
  expect(second.Label).not.toBe(first.Label)
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.t')).toEqual([['2']])
})
