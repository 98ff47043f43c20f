import { query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

test('the history has what every statement handed over, and the memory of those that took a while', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const channel = await admin.channel()
  await channel.run(`SELECT repeat('é', 10000) AS w FROM range(3)`)
  await channel.run('SHOW TABLES')
  await channel.run('SELECT count(DISTINCT sha256(i::VARCHAR)) FROM range(1000000) t(i)')
  const { entries } = (await admin.call(query.history, {})).data
  expect(entries.map(({ rows, bytes }) => [rows, bytes])).toEqual([
    [1, 7],
    [0, null],
    [3, 60_000],
  ])
  expect(entries[0]?.peakMemoryBytes).toBeGreaterThan(20_000_000)
})
