import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const RULE = 'max-lines-per-function'
/** Files with a function of more than 100 lines. The list only shrinks: split a function, then remove its file and lower this. */
const MOST_FILES = 1

interface Override {
  readonly files: readonly string[]
  readonly rules: Readonly<Record<string, unknown>>
}

interface Settings {
  readonly rules: Readonly<Record<string, unknown>>
  readonly overrides: readonly Override[]
}

const { rules, overrides } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as Settings
const listed = overrides.findLast((override) => override.rules[RULE] === 'off')?.files ?? []

test('functions have at most 100 lines; the files that are excused become fewer, never more', () => {
  expect(rules[RULE]).toEqual(['error', { max: 100, skipBlankLines: true, skipComments: true }])
  expect(listed.length).toBeLessThanOrEqual(MOST_FILES)
  expect(new Set(listed).size).toBe(listed.length)
  for (const file of listed) expect(file, 'one file, not a pattern').not.toMatch(/[*?{[]/)
})

test('a file whose functions are short again, or that is gone, is excused no more', () => {
  const directory = mkdtempSync(join(tmpdir(), 'boathouse-lint-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const config = join(directory, 'oxlintrc.json')
  writeFileSync(
    config,
    JSON.stringify({ categories: { correctness: 'off' }, rules: { [RULE]: rules[RULE] } }),
  )
  const { stdout } = spawnSync(
    join(root, 'node_modules', '.bin', 'oxlint'),
    ['--config', config, '--format=unix', ...listed],
    { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
  )
  const long = new Set(stdout.split('\n').flatMap((line) => /^([^:]+):\d+:/.exec(line)?.[1] ?? []))
  expect(listed.filter((file) => !long.has(file))).toEqual([])
})
