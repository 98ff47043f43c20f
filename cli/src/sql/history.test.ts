import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openHistory } from './history.ts'

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-history-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'history')
}

test('secrets are never written, in whatever statement they are', async () => {
  const file = await newFile()
  const history = openHistory(file)
  for (const text of [
    "create user a identified by 'x'",
    "SET PASSWORD = 'x'",
    "create external catalog c properties ('aws.s3.secret_key' = 'x')",
    "select 'bh_abcdefgh1234'",
    "... ACCESS_KEY 'x'",
  ])
    history.add([text])
  history.add(['select 1;'])
  expect(await readFile(file, 'utf8')).toBe('select 1;\n')
})

test('a file that others could read is closed to them, and entries are one line each', async () => {
  const file = await newFile()
  await writeFile(file, 'select 0;\n', { mode: 0o644 })
  await chmod(file, 0o644)
  const history = openHistory(file)
  expect(history.entries()).toEqual(['select 0;'])
  history.add(['select 1,', '  2;'])
  history.add(['select 3 -- three', ', 4;'])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(openHistory(file).entries()).toEqual(['select 0;', 'select 1,   2;', 'select 3 -- three', ', 4;'])
})

test('a file that has grown is made shorter, and one that cannot be written is left alone', async () => {
  const file = await newFile()
  await writeFile(file, `select '${'x'.repeat(2000)}';\n`.repeat(1500))
  openHistory(file).add(['select 1;'])
  const { entries } = openHistory(file)
  expect([entries().length, entries().at(-1)]).toEqual([1000, 'select 1;'])
  expect(openHistory('/nonexistent/history').add(['select 1;'])).toBe(false)
})
