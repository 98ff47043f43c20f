import { LIMITS } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { sharedApp } from '../../testing/start-app.ts'

const shared = sharedApp()
const LARGE = 3.9 * 1024 * 1024
const PREFIX = 'A message is JSON text with a cmd of 1, 2 or 3.'

test.each([
  ['1 KB of opened lists', '['.repeat(1024), `${PREFIX} This one is nested deeper than 8 levels.`],
  ['3.9 MB of opened lists', '['.repeat(LARGE), `${PREFIX} This one is nested deeper than 8 levels.`],
  [
    '3.9 MB of opened objects',
    '{"cmd":'.repeat(LARGE / 7),
    `${PREFIX} This one is nested deeper than 8 levels.`,
  ],
  [
    '3.9 MB of numbers',
    `{"cmd":1,"connIds":[${'1,'.repeat(LARGE / 2)}1]}`,
    `${PREFIX} This one has more than 5000 values. Send fewer at once.`,
  ],
  ['3.9 MB of a text without an end', `"${'x'.repeat(LARGE)}`, `${PREFIX} This one is not JSON.`],
])('%s are refused, and the channel is good for what comes behind', async (_, text, problem) => {
  const app = await shared()
  const channel = await (await app.user()).channel()
  channel.socket.send(text)
  const refusal = await channel.hear((heard) =>
    heard.cmd === 3 && heard.type === 'BadMessage' ? heard : undefined,
  )
  expect(refusal.data).toEqual({ message: problem })
  expect((await channel.run('select 1')).at(-1)?.queryState).toBeDefined()
})

test('a query of the longest text there may be is read beside, and answered as any other', async () => {
  const app = await shared()
  const channel = await (await app.user()).channel()
  const long = `select 1 -- ${'漢'.repeat(LIMITS.sqlLength - 100)}`
  expect((await channel.run(long)).length).toBeGreaterThan(0)
})
