import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { openSession, ownEngine } from '../../conformance/fixture.ts'
import { filled, into, waiting } from '../../conformance/sinks.ts'
import type { RowSink } from '../../engine/sink.ts'
import { hostBundleForTests } from '../host/host-bundle-for-tests.ts'
import { type DuckdbEngine, createDuckdbProvider } from '../provider.ts'

const provider = createDuckdbProvider({ hostPath: await hostBundleForTests(), spare: false })
afterAll(() => provider.close())

const MIB = 1024 * 1024

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

const many = (rows: number) =>
  `SELECT i, i * 2 AS j, 'some text of row ' || i AS t, i / 7 AS d, DATE '2024-01-01' + (i % 1000)::INTEGER AS day FROM range(${rows}) t(i)`

const taking: RowSink = { begin: () => undefined, write: async () => undefined }

test.runIf(process.platform === 'linux')(
  'holds little of millions of rows, whether their reader waits or not',
  async () => {
    const engine = (await ownEngine({ provider, kill: () => undefined })) as DuckdbEngine
    const session = await openSession(engine)
    // Whatever a first statement takes once.
    await filled(session, many(200_000), taking)
    const before = await residentBytes(engine.pid)
    const sink = waiting()
    const run = into(session, many(5_000_000), sink)
    await sink.isFull
    // As text, they are more than 300 MB.
    expect((await residentBytes(engine.pid)) - before).toBeLessThan(48 * MIB)
    await run.cancel()
    const outcome = await filled(session, many(1_500_000), taking)
    expect(outcome.bytes).toBeGreaterThan(85 * MIB)
    expect((await residentBytes(engine.pid)) - before).toBeLessThan(64 * MIB)
  },
  180_000,
)
