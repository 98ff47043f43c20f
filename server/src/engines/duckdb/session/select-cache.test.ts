import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBConnection } from '@duckdb/node-api'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openAccount } from '../account/account.ts'

const MiB = 1024 ** 2

/** Runs statements as the service does, and tells what DuckDB was made to bind for each. */
async function openSession() {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-selects-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const space = { directory, threads: 1, memoryBytes: 256 * MiB, tempBytes: 64 * MiB }
  const account = await openAccount(space, { inMemory: true })
  onTestFinished(() => account.close())
  const place = { catalog: 'default_catalog', database: 'main', timeZone: 'UTC', variables: {}, user: 'ann' }
  const session = await account.openSession(place, () => undefined)
  const prepare = vi.spyOn(DuckDBConnection.prototype, 'prepare')
  onTestFinished(() => prepare.mockRestore())
  return {
    async run(sql: string, maxRows: number) {
      prepare.mockClear()
      const isRead = sql.startsWith('SELECT')
      const outcome = await session.execute(sql, {
        takenFor: isRead ? 'reads' : 'writes',
        authorize: 'all',
        maxRows: 1000,
        queryId: randomUUID(),
        keep: isRead ? { maxRows, maxBytes: MiB } : null,
        profile: null,
      }).outcome
      const rows = outcome.state === 'finished' ? outcome.result.rows.length : outcome
      return { rows, bound: prepare.mock.calls.map(([text]) => text).filter((text) => text.includes(sql)) }
    },
  }
}

test.each([1000, 100_000])(
  'a text whose rows were few and short is bound once the next time, and not counted, with a limit of %d rows',
  async (limit) => {
    const { run } = await openSession()
    await run("CREATE TABLE boats AS SELECT i, 'boat ' || i AS name FROM range(3) t(i)", limit)
    const sql = 'SELECT i, name FROM boats'
    const first = await run(sql, limit)
    expect(first.rows).toBe(3)
    expect(first.bound.at(-1)).toContain('MATERIALIZED')
    const second = await run(sql, limit)
    expect(second.rows).toBe(3)
    expect(second.bound).toHaveLength(1)
    expect(second.bound[0]).not.toContain('MATERIALIZED')
  },
)

test('what was written since may have made its rows longer, and they are counted again', async () => {
  const { run } = await openSession()
  await run("CREATE TABLE boats AS SELECT 'Dory' AS name", 1000)
  const sql = 'SELECT name FROM boats'
  await run(sql, 1000)
  await run("INSERT INTO boats VALUES ('Skiff')", 1000)
  const after = await run(sql, 1000)
  expect(after.rows).toBe(2)
  expect(after.bound.at(-1)).toContain('MATERIALIZED')
  expect((await run(sql, 1000)).bound.join()).not.toContain('MATERIALIZED')
})

test('rows that have become many since are all there', async () => {
  const { run } = await openSession()
  await run("CREATE TABLE boats AS SELECT i, 'boat ' || i AS name FROM range(3) t(i)", 1000)
  const sql = 'SELECT i, name FROM boats'
  await run(sql, 100_000)
  await run("INSERT INTO boats SELECT i, 'more ' || i FROM range(5000) t(i)", 1000)
  expect(await run(sql, 100_000)).toMatchObject({ rows: 1000 })
})
