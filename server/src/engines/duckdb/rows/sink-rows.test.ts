import { DuckDBInstance, type DuckDBResult } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import type { RowSink } from '../../engine/sink.ts'
import type { ReadyStatement } from '../session/statement.ts'
import { runIntoSink } from './sink-rows.ts'

const SQL = 'SELECT i, NULL AS marker FROM range(100_000) t(i) UNION ALL SELECT NULL, 1'

/** A statement whose stream fails at its third chunk, as the driver would report it. */
async function failing() {
  const instance = await DuckDBInstance.create()
  const [connection, other] = [await instance.connect(), await instance.connect()]
  onTestFinished(() => {
    connection.closeSync()
    other.closeSync()
    instance.closeSync()
  })
  let fetches = 0
  const stream = async (): Promise<DuckDBResult> => {
    const result = await connection.stream(SQL)
    const fetchChunk = result.fetchChunk.bind(result)
    result.fetchChunk = () =>
      ++fetches === 3 ? Promise.reject(new Error('The third chunk fails.')) : fetchChunk()
    return result
  }
  const ready = { prepared: { stream }, names: null, isMarked: true, isCounted: false }
  return { connection, other, ready: ready as unknown as ReadyStatement, fetches: () => fetches }
}

test('a chunk that fails while the sink is busy with the one before fails the statement, and nothing else', async () => {
  const { connection, other, ready, fetches } = await failing()
  let written = 0
  const sink: RowSink = {
    begin: () => undefined,
    async write() {
      // The second batch is taken only when the third chunk has failed, which nothing waits for yet.
      if (++written === 2) await expect.poll(fetches).toBe(3)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
  const run = {
    connection,
    other,
    timeZone: 'UTC',
    sink,
    stop: new AbortController().signal,
    makesTable: false,
    onRan: () => expect.unreachable('It has not run to its end.'),
  }
  await expect(runIntoSink(ready, run)).rejects.toThrow('The third chunk fails.')
  expect(written).toBe(2)
  expect((await connection.runAndReadAll('SELECT 42')).getRows()).toEqual([[42]])
})
