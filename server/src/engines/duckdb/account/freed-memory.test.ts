import { readFile } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FreedMemory } from './freed-memory.ts'
import { DuckDbSize } from './size.ts'

function watched(giveBack: () => Promise<void> = async () => undefined) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const world = {
    giveBack: vi.fn<() => Promise<void>>(giveBack),
    onTrouble: vi.fn<(message: string) => void>(),
  }
  return { world, freed: new FreedMemory(world) }
}

test('is given back once nothing has run for half a minute, and not before', async () => {
  const { world, freed } = watched()
  freed.rest()
  await vi.advanceTimersByTimeAsync(20_000)
  freed.keep()
  await vi.advanceTimersByTimeAsync(60_000)
  freed.rest()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(world.giveBack).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  await vi.waitUntil(() => world.giveBack.mock.calls.length > 0)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(world.giveBack).toHaveBeenCalledTimes(1)
})

test('is reported when it cannot be given back', async () => {
  const { world, freed } = watched(() => Promise.reject(new Error('no connection')))
  await freed.giveBack()
  expect(world.onTrouble).toHaveBeenCalledWith('Freed memory is not given back: no connection')
})

const MIB = 1024 * 1024

async function residentMib(): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile('/proc/self/status', 'utf8'))?.[1]) / 1024
}

// Elsewhere DuckDB has another allocator, or the system another way to tell.
test.runIf(process.platform === 'linux')(
  'leaves the process, and the limit of memory is as it was',
  async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GiB' })
    onTestFinished(() => instance.closeSync())
    const size = new DuckDbSize({ instance, resultWriter: { setThreads: async () => undefined } }, 1024 * MIB)
    const connection = await instance.connect()
    const before = await residentMib()
    const texts = `SELECT sum(length(x)) FROM (SELECT repeat('x', 5000000 + range) AS x FROM range(100))`
    await connection.run(texts)
    expect((await residentMib()) - before).toBeGreaterThan(200)
    await size.giveBack()
    expect((await residentMib()) - before).toBeLessThan(100)
    await Promise.all([
      size.change({ threads: 1, memoryBytes: 300 * MIB }),
      size.giveBack(),
      size.change({ threads: 2, memoryBytes: 200 * MIB }),
    ])
    await size.giveBack()
    const limit = await connection.runAndReadAll(`SELECT current_setting('memory_limit')`)
    expect(limit.getRows()).toEqual([['200.0 MiB']])
  },
)
