import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { analyseStatement } from '../../../modules/query/analysis/analysed-text.ts'
import { judge } from '../../../modules/query/gate/gate.ts'
import { DUCKDB_NAMES } from './name-rules.ts'
import { openAccount } from '../account/account.ts'
import { openSandbox } from './sandbox.ts'
import { CLOSED_BY_GUARD, ESCAPE_ATTEMPTS } from './escape-attempts.ts'

async function spaceIn() {
  const around = await mkdtemp(join(tmpdir(), 'boathouse-ways-'))
  onTestFinished(() => rm(around, { recursive: true, force: true }))
  const directory = join(around, 'account')
  await mkdir(directory)
  return { around, space: { directory, threads: 1, memoryBytes: 512 * 1024 ** 2, tempBytes: 1024 ** 2 } }
}

test('there are at least 300 ways out, each once', () => {
  expect(ESCAPE_ATTEMPTS.length).toBeGreaterThanOrEqual(300)
  expect(new Set(ESCAPE_ATTEMPTS).size).toBe(ESCAPE_ATTEMPTS.length)
})

test('the guard refuses every escape attempt, for every user', async () => {
  const { around, space } = await spaceIn()
  const account = await openAccount(space)
  onTestFinished(() => account.close())
  const state = { catalog: 'default_catalog', database: 'main', timeZone: 'UTC', variables: {} }
  const session = await account.openSession(state, () => undefined)
  const run = (sql: string, takenFor: 'reads' | 'writes' | 'session') =>
    session.execute(sql, {
      takenFor,
      authorize: 'all',
      maxRows: 10,
      queryId: crypto.randomUUID(),
      keep: null,
      profile: null,
    }).outcome
  await run('CREATE TABLE t (a INTEGER)', 'writes')
  const open: string[] = []
  for (const sql of [...ESCAPE_ATTEMPTS, ...CLOSED_BY_GUARD]) {
    const verdict = judge(analyseStatement(sql, DUCKDB_NAMES))
    // What the service answers itself never reaches an engine, and knows its own variables alone.
    if (!verdict.allowed || verdict.class === 'service' || verdict.kind === 'set-variable') continue
    if (verdict.kind === 'reset-variable') continue
    if ((await run(sql, verdict.class)).state === 'finished') open.push(sql)
  }
  expect(open).toEqual([])
  expect(await readdir(around)).toEqual(['account'])
})

test('each way out is closed by the sandbox when there is no guard', async () => {
  const { around, space } = await spaceIn()
  const sandbox = await openSandbox(space)
  onTestFinished(() => sandbox.instance.closeSync())
  // A connection as DuckDB gives it: neither our functions nor our reading of statements stand before it.
  const connection = await sandbox.instance.connect()
  await connection.run('CREATE TABLE t (a INTEGER)')
  const open: string[] = []
  for (const sql of ESCAPE_ATTEMPTS) {
    try {
      await connection.run(sql)
      open.push(sql)
    } catch {
      // As it should be.
    }
    await connection.run('ROLLBACK').catch(() => undefined)
  }
  expect(open).toEqual([])
  expect(await readdir(around)).toEqual(['account'])
})
