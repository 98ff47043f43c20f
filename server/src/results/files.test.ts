import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dropResults, findResults, removeUnfinished, resultIdsIn } from './files.ts'
import { ResultRefused } from './reader.ts'

async function folder(names: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-results-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const name of names) await writeFile(join(directory, name), 'x'.repeat(10))
  return directory
}

test('results are found by their ids, in either form, without those that are being written', async () => {
  const directory = await folder(['a.parquet', 'b.json', 'c.parquet.new'])
  expect((await resultIdsIn(directory)).sort()).toEqual(['a', 'b'])
  const found = await findResults(directory, ['b', 'a', 'c', 'gone'])
  expect(found.map(({ queryId, bytes }) => [queryId, bytes])).toEqual([
    ['b', 10],
    ['a', 10],
  ])
  expect(await resultIdsIn(join(directory, 'nowhere'))).toEqual([])
})

test('results are dropped in either form, and what is not there is not missed', async () => {
  const directory = await folder(['a.parquet', 'b.json', 'c.json'])
  await dropResults(directory, ['a', 'b', 'gone'])
  expect(await readdir(directory)).toEqual(['c.json'])
  await expect(dropResults(directory, ['../c'])).rejects.toThrow(ResultRefused)
})

test('what was being written when a process ended is removed', async () => {
  const directory = await folder(['a.parquet', 'b.parquet.new'])
  await removeUnfinished(directory)
  expect(await readdir(directory)).toEqual(['a.parquet'])
})
