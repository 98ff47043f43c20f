import { expect, test, vi } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

test('a statement that runs for a while tells how many rows it has read, and of how many', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  await channel.run('CREATE TABLE long AS SELECT range AS i FROM range(10000000)')
  const running = channel.run('SELECT sum(length(repeat(i::VARCHAR, 500))) FROM long')
  const told = await vi.waitUntil(
    () =>
      channel.heard
        .flatMap((message) => (message.cmd === 2 ? [message.queryRsp] : []))
        .find(({ progressRows }) => (progressRows ?? 0) > 0),
    { timeout: 20_000, interval: 20 },
  )
  expect(told).toMatchObject({ queryState: 1, progress: expect.any(Number) })
  expect(told.progressTotalRows).toBeGreaterThan(1_000_000)
  const [answer] = await running
  expect(answer).toMatchObject({ queryState: 2, progress: null, progressRows: null })
})
