import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const RULE = 'max-lines-per-function'

interface Override {
  readonly files: readonly string[]
  readonly rules: Readonly<Record<string, unknown>>
}

interface Settings {
  readonly rules: Readonly<Record<string, unknown>>
  readonly overrides: readonly Override[]
}

const { rules, overrides } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as Settings

test('functions have at most 100 lines; only tests are excused', () => {
  expect(rules[RULE]).toEqual(['error', { max: 100, skipBlankLines: true, skipComments: true }])
  const excused = overrides.filter((override) => RULE in override.rules).flatMap(({ files }) => files)
  expect(excused).toEqual(['**/*.test.ts', '**/*.test.tsx', 'e2e/**'])
})
