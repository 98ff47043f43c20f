import { randomUUID } from 'node:crypto'
import { CODES, editor } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

test('a statement that runs for a while reports how many rows it has read, and of how many', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const channel = await admin.channel()
  await channel.run('CREATE TABLE long AS SELECT range AS i FROM range(3000000)')
  const requestId = randomUUID()
  const running = channel.run('SELECT sum(length(repeat(i::VARCHAR, 1000))) FROM long', { requestId })
  const event = await channel.hear((message) =>
    message.cmd === 2 && (message.queryRsp.progressRows ?? 0) > 0 ? message.queryRsp : undefined,
  )
  expect(event).toMatchObject({ queryState: 1, progress: expect.any(Number) })
  expect(event.progressTotalRows).toBeGreaterThan(1_000_000)
  await admin.call(editor.kill, { requestId })
  const [answer] = await running
  expect(answer).toMatchObject({ errCode: CODES.Cancelled.code, progress: null, progressRows: null })
})
