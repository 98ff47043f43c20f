import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STANDARD_QUOTES } from '@boathouse/sql'
import { expect, onTestFinished, test } from 'vitest'
import { openAccount } from '../account/account.ts'

const linesOf = (name: string): string[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')

/** Booleans are numbers there, numbers have other digits behind the point, and a date plus days is a date. */
function alike(cell: string | null): string | null {
  if (cell === null) return null
  const text = cell === 'true' ? '1' : cell === 'false' ? '0' : cell
  const number = Number(text)
  if (text.trim() !== '' && !Number.isNaN(number)) return String(Math.round(number * 1e9) / 1e9)
  return text.replace(/ 00:00:00$/, '').replace(/\.000000$/, '')
}

const rowsAlike = (rows: readonly (readonly (string | null)[])[]) => rows.map((row) => row.map(alike))

test('what other servers of this language answer is answered here, for more than 300 statements', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-familiar-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const space = { directory, threads: 1, memoryBytes: 1024 ** 3, tempBytes: 1024 ** 2 }
  const account = await openAccount(space, { inMemory: true })
  onTestFinished(() => account.close())
  const state = { catalog: 'default_catalog', database: 'main', timeZone: 'UTC', variables: {} }
  const session = await account.openSession(state, () => undefined)
  const run = (sql: string) =>
    session.execute(sql, {
      written: { quotes: STANDARD_QUOTES, systemVariables: {}, variables: {} },
      takenFor: null,
      authorize: 'all',
      maxRows: 1000,
      queryId: crypto.randomUUID(),
      keep: null,
      profile: null,
    }).outcome
  for (const sql of linesOf('mysql-tables.sql')) expect(await run(sql)).toMatchObject({ state: 'finished' })

  const corpus = linesOf('mysql-corpus.txt').filter((line) => !line.startsWith('#') && !line.includes('@@'))
  expect(corpus.length).toBeGreaterThan(300)
  const different: unknown[] = []
  for (const line of corpus) {
    const [sql = '', answer = ''] = line.split('\t')
    const outcome = await run(sql)
    const ours = outcome.state === 'finished' ? rowsAlike(outcome.result.rows) : outcome
    const theirs = rowsAlike(JSON.parse(answer) as (string | null)[][])
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) different.push({ sql, ours, theirs })
  }
  expect(different).toEqual([])
})
