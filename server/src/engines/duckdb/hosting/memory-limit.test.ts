import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { MIB, cell, failure, openSession, ownEngine, rowsUpTo, testSpace } from '../../conformance/fixture.ts'
import { confinement } from './confinement.ts'
import { hostBundleForTests } from '../host/host-bundle-for-tests.ts'
import { MemoryLimits, fitMemory, mostBytes } from './memory-limit.ts'
import { type DuckdbEngine, type DuckdbOptions, createDuckdbProvider } from '../provider.ts'

const isLimited = confinement().some(([program]) => program?.endsWith('/prlimit'))

const SMALL = { threads: 2, memoryBytes: 256 * MIB }
const LARGE = { threads: 2, memoryBytes: 1024 * MIB }

/** What the process may have, in bytes. */
async function limitOf(pid: number): Promise<number> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8')
  return Number(/Max data size\s+(\d+)/.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}

function limitReaches(pid: number, bytes: number): Promise<boolean> {
  return vi.waitUntil(async () => (await limitOf(pid)) === bytes, { timeout: 5_000, interval: 5 })
}

async function openDuckdb(options: DuckdbOptions = {}): Promise<DuckdbEngine> {
  const provider = createDuckdbProvider({ hostPath: await hostBundleForTests(), spare: false, ...options })
  onTestFinished(() => provider.close())
  return (await ownEngine({ provider, kill: () => {} })) as DuckdbEngine
}

/** An engine that has less than others, so that tests need not take gigabytes. */
async function openTight(options: DuckdbOptions = {}): Promise<DuckdbEngine> {
  const engine = await openDuckdb(options)
  await limitReaches(engine.pid, mostBytes(SMALL))
  const { uid, gid } = await stat(`/proc/${engine.pid}`)
  const limits = new MemoryLimits()
  onTestFinished(() => limits.close())
  const user = uid === process.getuid?.() ? null : { uid, gid }
  await limits.set({ pid: engine.pid, user }, 1024 * MIB)
  return engine
}

describe('the order of changes', () => {
  const calls: string[] = []
  const set = async (bytes: number) => void calls.push(`limit ${bytes}`)
  const size = (what: string) => async () => void calls.push(what)
  const onTrouble = (error: unknown) => void calls.push(String(error))

  test('gives more before the engine grows, and takes it back after it has shrunk', async () => {
    calls.length = 0
    const fit = fitMemory({ set, onTrouble })
    await Promise.all([fit(SMALL), fit(LARGE, size('grow')), fit(LARGE), fit(SMALL, size('shrink'))])
    const [small, large] = [SMALL, LARGE].map((one) => `limit ${mostBytes(one)}`)
    expect(calls).toEqual([small, large, 'grow', 'shrink', small])
  })

  test('leaves the limit to an engine that could not shrink', async () => {
    calls.length = 0
    const fit = fitMemory({ set, onTrouble })
    await fit(LARGE)
    await expect(fit(SMALL, () => Promise.reject(new Error('busy')))).rejects.toThrow('busy')
    expect(calls).toEqual([`limit ${mostBytes(LARGE)}`])
  })

  test('reports a limit that cannot be set, retries, and changes the size all the same', async () => {
    calls.length = 0
    const fit = fitMemory({ set: () => Promise.reject(new Error('no')), onTrouble })
    await fit(SMALL)
    await fit(SMALL, size('same'))
    expect(calls).toEqual(['Error: no', 'Error: no', 'same'])
  })
})

describe.runIf(isLimited)('the limit of the system', () => {
  test('is lowered and raised while a process runs, and a failure is reported', async () => {
    const limits = new MemoryLimits()
    const sleeping = spawn('sleep', ['600'])
    onTestFinished(() => {
      sleeping.kill('SIGKILL')
      limits.close()
    })
    const pid = sleeping.pid ?? 0
    for (const bytes of [3, 1, 2].map((gib) => gib * 1024 * MIB)) {
      await limits.set({ pid, user: null }, bytes)
      expect(await limitOf(pid)).toBe(bytes)
    }
    sleeping.kill('SIGKILL')
    await once(sleeping, 'exit')
    await expect(limits.set({ pid, user: null }, MIB)).rejects.toThrow(/process \d+: 1 .*No such process/)
  })

  test('follows the size of an engine', async () => {
    const engine = await openDuckdb()
    await limitReaches(engine.pid, mostBytes(SMALL))
    await engine.resize(LARGE)
    expect(await limitOf(engine.pid)).toBe(mostBytes(LARGE))
    await Promise.all([engine.resize(SMALL), engine.resize({ ...SMALL, threads: 1 })])
    expect(await limitOf(engine.pid)).toBe(mostBytes({ ...SMALL, threads: 1 }))
  })

  test('refuses a statement that takes far more than DuckDB counts, and its memory is there for others again', async () => {
    const engine = await openTight()
    const [session, other] = [await openSession(engine), await openSession(engine)]
    for (let times = 0; times < 3; times++) {
      // DuckDB does not count long texts: 10 GB of them.
      const error = await failure(session, `SELECT repeat('x', 16000000) FROM range(700)`)
      expect(error).toMatchObject({ kind: 'resource', message: expect.stringContaining('out of memory') })
      expect(await cell(other, 'SELECT count(DISTINCT hash(range)) FROM range(1000000)')).toBe('1000000')
    }
  })

  test('ends a process that takes far more in JavaScript, and nothing else', async () => {
    const eating = join(dirname((await testSpace()).directory), 'host.mjs')
    await writeFile(
      eating,
      `process.on('disconnect', () => process.exit())
       process.on('message', ([{ id, kind, user }]) => {
         if (user) process.setgid(user.gid), process.setuid(user.uid)
         const answer = kind === 'start' ? { names: [], closed: [] } : null
         if (kind !== 'execute') return process.send([{ kind: 'answer', id, answer }])
         for (const kept = []; ; ) kept.push(new Array(1_000_000).fill(kept.length))
       })`,
    )
    const engine = await openTight({ hostPath: eating })
    const session = await openSession(engine)
    const reason = expect.stringContaining('it had no memory left')
    expect(await session.execute('SELECT 1', rowsUpTo(1)).outcome).toEqual({ state: 'lost', reason })
    expect(await cell(await openSession(await openDuckdb()), 'SELECT 1')).toBe('1')
  })
})
