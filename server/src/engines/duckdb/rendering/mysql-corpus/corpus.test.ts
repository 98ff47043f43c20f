import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { askOurs } from './ask-ours.ts'
import { areAlike, CORPUS, FAILED, readDifferences, readRecorded } from './corpus.ts'

const SHARE = 0.95

test('of more than 300 statements of tools for MySQL, 95 % have the answers that MariaDB gave, by value and column name', async () => {
  const recorded = readRecorded()
  const ours = await askOurs()
  expect(CORPUS.length).toBeGreaterThan(300)
  expect(Object.keys(recorded).sort()).toEqual([...new Set(CORPUS.map(({ sql }) => sql))].sort())
  const different = CORPUS.filter(({ sql }) => !areAlike(ours[sql] ?? FAILED, recorded[sql] ?? FAILED))
  expect(different.map(({ sql }) => sql).sort()).toEqual(Object.keys(readDifferences()).sort())
  expect(different.length / CORPUS.length).toBeLessThanOrEqual(1 - SHARE)
})

test('the guide lists each statement that differs, with the reason', () => {
  const guide = readFileSync(new URL('../../../../../../docs/guide/mysql-words.md', import.meta.url), 'utf8')
  for (const [sql, reason] of Object.entries(readDifferences())) {
    expect(guide).toContain(sql.replaceAll('|', String.raw`\|`))
    expect(guide).toContain(reason)
  }
})
