import { monitorEventLoopDelay } from 'node:perf_hooks'
import { CODES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

const MEGABYTE = 2 ** 20
/** Refused by the gate, at its end: all of it is analysed, and no engine is kept busy. */
const refused = (piece: string): string =>
  `select ${piece.repeat((MEGABYTE - 100) / piece.length)} 1, read_csv('x')`

test("while one user sends a dozen texts of a megabyte, another's statements are served at once", async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const [one, other] = [await (await app.admin()).channel(), await (await app.user(['db_admin'])).channel()]
  const [first] = await other.run('SELECT 1')
  const connId = first?.connId ?? 0
  await one.run(refused('1+'))
  const sentAt = performance.now()
  await one.run(refused('1+'))
  const oneText = performance.now() - sentAt

  const delay = monitorEventLoopDelay({ resolution: 5 })
  const texts = ['1+', 'a.', "(1, 'abc'),", '((', "'a' || "].flatMap((piece) => [
    refused(piece),
    refused(piece),
  ])
  delay.enable()
  const sent = texts.map((sql) => one.run(sql))
  const over = new AbortController()
  const all = Promise.all(sent).finally(() => over.abort())
  const waits: number[] = []
  while (!over.signal.aborted) {
    const startedAt = performance.now()
    expect((await other.run('SELECT 1', { connId }))[0]).toMatchObject({ result: [['1']] })
    waits.push(performance.now() - startedAt)
  }
  delay.disable()
  for (const [answer] of await all)
    expect(answer).toMatchObject({ errCode: CODES.QueryFailed.code, errMsg: expect.any(String) })
  expect(waits.length).toBeGreaterThan(10)
  waits.sort((a, b) => a - b)
  // A text that is read on the server's thread, or in turn with others, keeps everybody waiting for as long as that takes.
  expect(waits[Math.floor(waits.length / 2)], 'milliseconds, the half of them').toBeLessThan(oneText)
  expect(delay.percentile(95) / 1e6, 'milliseconds in which nothing is served').toBeLessThan(oneText)
})
