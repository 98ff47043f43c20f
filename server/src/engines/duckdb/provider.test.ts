import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ENDLESS, testSpace, cell, openSession, ownEngine, rowsOf, rowsUpTo } from '../conformance/fixture.ts'
import { runKept } from '../conformance/run-kept.ts'
import { EngineUnavailable } from '../engine/engine.ts'
import { createLog } from '../../kernel/log.ts'
import { confinement } from './hosting/confinement.ts'
import { hostBundleForTests } from './host/host-bundle-for-tests.ts'
import { hostBundlePath } from './host/host-bundle.ts'
import {
  type DuckdbEngine,
  type DuckdbOptions,
  type DuckdbProvider,
  createDuckdbProvider,
} from './provider.ts'

/** For one test, and without a process held ready unless it is about that. */
async function testProvider(options: DuckdbOptions = {}): Promise<DuckdbProvider> {
  const provider = createDuckdbProvider({ hostPath: await hostBundleForTests(), spare: false, ...options })
  onTestFinished(() => provider.close())
  return provider
}

async function openDuckdb(options: DuckdbOptions = {}): Promise<DuckdbEngine> {
  const provider = await testProvider(options)
  return (await ownEngine({ provider, kill: () => {} })) as DuckdbEngine
}

/** A host that answers what `answers` says and is silent about everything else. */
async function scriptedHost(answers: string): Promise<string> {
  const path = join(dirname((await testSpace()).directory), 'host.mjs')
  await writeFile(
    path,
    `process.on('disconnect', () => process.exit())\nprocess.on('message', (all) => { for (const asked of all) {\n${answers}\n} })\n`,
  )
  return path
}

const ANSWERS_OPEN = `if (['start', 'open'].includes(asked.kind)) process.send([{ kind: 'answer', id: asked.id, answer: { names: [], closed: [] } }])`

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

test('is built where the server looks for it', () => {
  expect(hostBundlePath()).toMatch(/server[/\\]dist[/\\]engine-host\.js$/)
})

test('keeps DuckDB out of the process of the server, and knows its version all the same', async () => {
  const engine = await openDuckdb()
  const running = await cell(await openSession(engine), 'SELECT version()')
  expect(createDuckdbProvider({ spare: false }).version).toBe(running)
  const loaded = process.platform === 'linux' ? await readFile('/proc/self/maps', 'utf8') : ''
  expect(loaded).not.toContain('duckdb')
})

test('gives its process nothing of the environment of the server', async () => {
  vi.stubEnv('DATABASE_URL', 'postgresql://secret')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { pid } = await openDuckdb()
  const file = `/proc/${pid}/environ`
  const environment = process.platform === 'linux' ? await readFile(file, 'utf8') : ''
  const names = environment.split('\0').map((line) => line.split('=')[0])
  expect(
    names.filter(
      (name) => name && !/^(NODE_CHANNEL_.*|UV_THREADPOOL_SIZE|DUCKDB_JE_MALLOC_CONF)$/.test(name),
    ),
  ).toEqual([])
})

test('ends with the server, however that ends, and leaves the files free', async () => {
  const space = await testSpace()
  await mkdir(space.directory, { recursive: true })
  const server = spawn(
    process.execPath,
    [
      '--eval',
      `const host = require('node:child_process').fork(process.argv[1], [], { cwd: process.argv[2], serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
       const ask = (message) => new Promise((resolve) => { host.once('message', resolve); host.send([message]) })
       const space = { directory: process.argv[2], threads: 2, memoryBytes: 1e8, tempBytes: 1e8 }
       ask({ id: 1, kind: 'start', space })
         .then(() => ask({ id: 2, kind: 'open', session: 1, state: { catalog: 'default_catalog', database: null, timeZone: 'UTC', variables: {} } }))
         .then(() => { host.send([{ id: 3, kind: 'execute', session: 1, sql: process.argv[3], options: { maxRows: 1, queryId: 'q', keep: null, profile: false } }]); console.log(host.pid) })`,
      await hostBundleForTests(),
      space.directory,
      ENDLESS,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [printed] = (await once(server.stdout, 'data')) as [Buffer]
  const pid = Number(printed.toString())
  expect(isAlive(pid)).toBe(true)
  server.kill('SIGKILL')
  await vi.waitUntil(() => !isAlive(pid), { timeout: 5_000, interval: 10 })
  const provider = await testProvider()
  expect(
    await cell(await openSession(await ownEngine({ provider, kill: () => {} }, space)), 'SELECT 1'),
  ).toBe('1')
})

test('keeps running through the signals that a terminal sends to all', async () => {
  const engine = await openDuckdb()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(engine.pid, signal)
  expect(await cell(await openSession(engine), 'SELECT 1')).toBe('1')
})

test('answers while more statements run than the machine has processors', async () => {
  const engine = await openDuckdb()
  const sessions = await Promise.all(Array.from({ length: 12 }, () => openSession(engine)))
  const runs = sessions.map((session) => session.execute(ENDLESS, rowsUpTo(1)))
  expect(await cell(await openSession(engine), 'SELECT 1')).toBe('1')
  await Promise.all(runs.map((run) => run.cancel()))
  expect(await Promise.all(runs.map((run) => run.outcome))).toMatchObject(
    runs.map(() => ({ state: 'cancelled' })),
  )
})

test('empties its temporary folder when it starts', async () => {
  const provider = await testProvider()
  const space = await testSpace()
  await mkdir(join(space.directory, 'tmp', 'left'), { recursive: true })
  await writeFile(join(space.directory, 'tmp', 'left', 'over.block'), 'x')
  await ownEngine({ provider, kill: () => {} }, space)
  expect(await readdir(join(space.directory, 'tmp'))).toHaveLength(1)
  expect(await readdir(join(space.directory, 'tmp'))).not.toContain('left')
})

test.runIf(process.getuid?.() === 0)(
  'does not run as root where its folder is out of reach; the message has no path, the log has it',
  async () => {
    const lines = join(dirname((await testSpace()).directory), 'log')
    const provider = await testProvider({ log: createLog('error', openSync(lines, 'w')) })
    const space = await testSpace()
    await chmod(dirname(space.directory), 0o700)
    const refusal = await provider.open(space).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(EngineUnavailable)
    expect(String(refusal)).toContain('statements never run as root. The log of the service says why.')
    expect(String(refusal)).not.toContain(dirname(space.directory))
    expect(JSON.parse(await readFile(lines, 'utf8'))).toMatchObject({
      accountId: space.accountId,
      msg: expect.stringContaining(dirname(space.directory)),
    })
  },
)

test.runIf(process.getuid?.() === 0)('has a user of its own when the server is root', async () => {
  const provider = await testProvider()
  const space = { ...(await testSpace()), osUser: 61_300 }
  const engine = (await ownEngine({ provider, kill: () => {} }, space)) as DuckdbEngine
  const session = await openSession(engine)
  await rowsOf(session, 'CREATE TABLE t AS SELECT * FROM range(1000)')
  await rowsOf(session, 'CHECKPOINT')
  const { uid, mode } = await stat(space.directory)
  expect(uid).toBe(61_300)
  expect(mode & 0o777).toBe(0o700)
  expect((await stat(`/proc/${engine.pid}`)).uid).toBe(uid)
  expect((await stat(join(space.directory, 'default_catalog.duckdb'))).uid).toBe(uid)
  await engine.close()
  // The same account has the same user when it is opened again.
  const again = await openSession(await ownEngine({ provider, kill: () => {} }, space))
  expect(await cell(again, 'SELECT count(*) FROM t')).toBe('1000')
})

test('ends a process that does not obey a cancel in time', async () => {
  const engine = await openDuckdb({ hostPath: await scriptedHost(ANSWERS_OPEN), cancelDeadlineMs: 50 })
  const session = await openSession(engine)
  const [one, other] = [session.execute('SELECT 1', rowsUpTo(1)), session.execute('SELECT 2', rowsUpTo(1))]
  await one.cancel()
  expect(await one.outcome).toEqual({ state: 'lost', reason: expect.stringContaining('did not stop') })
  expect((await other.outcome).state).toBe('lost')
  expect(await engine.lost).toContain('did not stop')
  expect(isAlive(engine.pid)).toBe(false)
})

const QUESTIONS: readonly (readonly [string, (engine: DuckdbEngine) => Promise<unknown>])[] = [
  ['openSession', (engine) => openSession(engine)],
  ['resize', (engine) => engine.resize({ threads: 1, memoryBytes: 128 * 1024 * 1024 })],
  ['tookEffect', (engine) => engine.effects.tookEffect(['019a8570-1c2b-7000-9a53-0a6f0b7f6f6e'])],
  ['forgetEffects', (engine) => engine.effects.forget(new Date(0))],
  ['settled', (engine) => engine.settled('019a8570-1c2b-7000-9a53-0a6f0b7f6f6e')],
]

test.each(QUESTIONS)('ends a process that hangs when it is asked something: %s', async (_, ask) => {
  const engine = await openDuckdb({ patience: { askAfterMs: 500, endAfterMs: 1_500 } })
  const session = await openSession(engine)
  const running = session.execute(ENDLESS, rowsUpTo(1))
  process.kill(engine.pid, 'SIGSTOP')
  await expect(ask(engine)).rejects.toThrow(EngineUnavailable)
  const reason = 'it gave no sign of life for 2 s'
  expect(await running.outcome).toEqual({ state: 'lost', reason })
  expect(await engine.lost).toBe(reason)
  expect(isAlive(engine.pid)).toBe(false)
})

test('reads kept results in a process without an engine, and tells when that process ends', async () => {
  const space = await testSpace()
  const provider = await testProvider()
  const engine = await ownEngine({ provider, kill: () => {} }, space)
  const { queryId } = await runKept(await openSession(engine), 'SELECT 42 AS n')
  await engine.close()
  const reader = await provider.openReader(space)
  expect((await reader.read(queryId, { offset: 0, limit: 1 }))?.rows).toEqual([['42']])
  await reader.close()
  await expect(reader.read(queryId, { offset: 0, limit: 1 })).rejects.toThrow(EngineUnavailable)

  const dying = `if (asked.kind !== 'startReader') process.exit(3)
    process.send([{ kind: 'answer', id: asked.id, answer: { names: [], closed: [] } }])`
  const brittle = await (await testProvider({ hostPath: await scriptedHost(dying) })).openReader(space)
  await expect(brittle.read(queryId, { offset: 0, limit: 1 })).rejects.toThrow(EngineUnavailable)
  expect(await brittle.ended).toContain('exit code 3')
})

test('waits for a process that is busy as long as it shows that it lives', async () => {
  const busy = `globalThis.pings = (globalThis.pings ?? 0) + (asked.kind === 'ping' ? 1 : 0)
    if (asked.kind === 'resize') globalThis.resize = asked.id
    else process.send([{ kind: 'answer', id: asked.id, answer: { names: [], closed: [] } }])
    if (globalThis.pings === 3) process.send([{ kind: 'answer', id: globalThis.resize, answer: { names: [], closed: [] } }])`
  const patience = { askAfterMs: 20, endAfterMs: 60_000 }
  const engine = await openDuckdb({ hostPath: await scriptedHost(busy), patience })
  await engine.resize({ threads: 1, memoryBytes: 1 })
  expect(isAlive(engine.pid)).toBe(true)
})

test('ends a process that does not stop in time', async () => {
  const engine = await openDuckdb({ hostPath: await scriptedHost(ANSWERS_OPEN), stopDeadlineMs: 50 })
  await engine.close()
  expect(isAlive(engine.pid)).toBe(false)
})

test('passes on the last words of a process that exits', async () => {
  const dying = `${ANSWERS_OPEN}\nif (asked.kind === 'execute') process.send([{ kind: 'dying', reason: 'the disk is gone' }], () => process.exit(1))`
  const engine = await openDuckdb({ hostPath: await scriptedHost(dying) })
  const session = await openSession(engine)
  const outcome = await session.execute('SELECT 1', rowsUpTo(1)).outcome
  expect(outcome).toEqual({ state: 'lost', reason: expect.stringContaining('the disk is gone') })
  expect(await engine.lost).toBe('the disk is gone')
})

test('takes only so many statements at a time, and still hears that it is to end', async () => {
  const engine = await openDuckdb({ hostPath: await scriptedHost(ANSWERS_OPEN), cancelDeadlineMs: 50 })
  const session = await openSession(engine)
  const runs = Array.from({ length: 1025 }, () => session.execute('SELECT 1', rowsUpTo(1)))
  expect(await runs.at(-1)?.outcome).toMatchObject({ state: 'failed', error: { kind: 'resource' } })
  await session.close()
  expect((await runs[0]?.outcome)?.state).toBe('lost')
})

test.each([
  ['never says that it is ready', '', /not ready after 50 ms/],
  ['refuses', `process.send([{ kind: 'refusal', id: asked.id, message: 'no disk' }])`, /no disk/],
  ['fails', `throw new Error('broken host')`, /broken host/],
])('does not open when its process %s', async (_, answers, message) => {
  const provider = await testProvider({
    hostPath: await scriptedHost(answers),
    startDeadlineMs: answers ? 120_000 : 50,
  })
  const opening = provider.open(await testSpace())
  await expect(opening).rejects.toBeInstanceOf(EngineUnavailable)
  await expect(opening).rejects.toThrow(message)
})

test('does not open when its program is not there', async () => {
  const provider = await testProvider({ hostPath: '/nowhere/engine-host.js' })
  await expect(provider.open(await testSpace())).rejects.toBeInstanceOf(EngineUnavailable)
})

test('does not open a file that is not its own', async () => {
  const provider = await testProvider()
  const space = await testSpace()
  await mkdir(space.directory, { recursive: true })
  await writeFile(join(space.directory, 'default_catalog.duckdb'), 'this is not a database'.repeat(1000))
  const opening = provider.open(space)
  await expect(opening).rejects.toThrow('The data of this account cannot be opened')
  await expect(opening).rejects.not.toThrow(space.directory)
})

const CHILDREN = `/proc/self/task/${process.pid}/children`
const tellsChildren = existsSync(CHILDREN)

/** The hosts that this process has started and that still live. */
async function childProcesses(): Promise<number[]> {
  const children = (await readFile(CHILDREN, 'utf8')).split(' ').filter(Boolean).map(Number)
  const commands = await Promise.all(
    children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return children.filter((_, index) => commands[index]?.includes('engine-host'))
}

/** Looked at once: what a process is called is not to be read while it turns into another program. */
function childrenOnce(count: number, besides: readonly number[]): Promise<number[]> {
  const look = async () => {
    const found = (await childProcesses()).filter((pid) => !besides.includes(pid))
    return found.length === count && found
  }
  return vi.waitUntil(look, { timeout: 5_000, interval: 5 })
}

test.runIf(tellsChildren)('holds one process ready, and ends it when it is closed', async () => {
  const before = await childProcesses()
  const provider = await testProvider({ spare: true })
  const [ready] = await childrenOnce(1, before)
  const engine = (await ownEngine({ provider, kill: () => {} })) as DuckdbEngine
  expect(engine.pid).toBe(ready)
  expect(await cell(await openSession(engine), 'SELECT 1')).toBe('1')
  await childrenOnce(2, before)
  await provider.close()
  expect(await childrenOnce(1, before)).toEqual([engine.pid])
  await engine.close()
  expect(await childProcesses()).toEqual(before)
})

test.runIf(tellsChildren)('starts another process when the one that was held ready has ended', async () => {
  const provider = await testProvider({ spare: true })
  const first = (await ownEngine({ provider, kill: () => {} })) as DuckdbEngine
  const [ready = Number.NaN] = await childrenOnce(1, [first.pid])
  process.kill(ready, 'SIGKILL')
  const second = (await ownEngine({ provider, kill: () => {} })) as DuckdbEngine
  expect(await cell(await openSession(second), 'SELECT 1')).toBe('1')
})

const later = (one: number, other: number): number | false => one > other && one

test('shows every second that it is alive', async () => {
  const space = await testSpace()
  const provider = await testProvider()
  const engine = await ownEngine({ provider, kill: () => {} }, space)
  const lastSign = async () => (await stat(join(space.directory, 'alive'))).mtimeMs
  const first = await lastSign()
  const second = await vi.waitUntil(async () => later(await lastSign(), first), { interval: 20 })
  const third = await vi.waitUntil(async () => later(await lastSign(), second), { interval: 20 })
  // One that is late on a busy machine may be followed soon: it is two of them that take longer.
  expect(third - first).toBeGreaterThan(500)
  await engine.close()
})

const taken = confinement().map(([program]) => program?.split('/').at(-1))

test.runIf(taken.includes('unshare'))('has no network', async () => {
  const { pid } = await openDuckdb()
  const devices = await readFile(`/proc/${pid}/net/dev`, 'utf8')
  expect(devices.split('\n').flatMap((line) => /^\s*(\S+):/.exec(line)?.[1] ?? [])).toEqual(['lo'])
})

test.runIf(taken.includes('choom'))('is what the system ends first when memory is short', async () => {
  const { pid } = await openDuckdb()
  expect(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('1000\n')
})

test.runIf(taken.includes('setpriv') && taken.includes('prlimit'))(
  'has no way to more rights and leaves no core file',
  async () => {
    const { pid } = await openDuckdb()
    expect(await readFile(`/proc/${pid}/status`, 'utf8')).toMatch(/NoNewPrivs:\s+1/)
    expect(await readFile(`/proc/${pid}/limits`, 'utf8')).toMatch(/Max core file size\s+0\s+0/)
  },
)
