import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { requirementsFrom } from './requirements.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const trackedFiles = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean)

test('ids and statements are taken over by area, and nothing else', () => {
  const ledger = [
    '# Ledger',
    '## SHELL: routes, menu',
    '| ID | What must hold | Source | Kind |',
    '|---|---|---|---|',
    '| SHELL-01 | The menu has `a` and b. | A§1 | must |',
    '| SHELL-02 | Prefix: A§2 has one, B§3 none. | A§2, B§3 | CONFLICT |',
    '',
    'Counted: 2',
  ].join('\n')
  const [, tables] = requirementsFrom(ledger).split('by hand.\n')
  expect(tables).toBe(
    [
      '',
      '## SHELL: routes, menu',
      '',
      '| Id | What must hold |',
      '|---|---|',
      '| SHELL-01 | The menu has `a` and b. |',
      '| SHELL-02 | Prefix: one place has one, another none. |',
      '',
    ].join('\n'),
  )
})

test('a file that is no ledger is refused in words', () => {
  expect(() => requirementsFrom('# Notes\n')).toThrow('No requirement was found')
})

test('every id that code, tests or documents cite stands in docs/requirements.md', () => {
  const known = new Set(read('docs/requirements.md').match(/(?<=^\| )[A-Z]+-\d+/gm))
  const areas = new Set([...known].map((id) => id.split('-')[0]))
  expect(known.size).toBeGreaterThan(500)
  const here = 'scripts/requirements.test.ts'
  const unknown = trackedFiles('*.ts', '*.tsx', '*.mjs', '*.md', '*.sql', '*.css')
    .filter((file) => file !== here && !file.endsWith('requirements.mjs'))
    .flatMap((file) =>
      [...new Set(read(file).match(/\b[A-Z]{2,}-\d+\b/g))]
        .filter((id) => areas.has(id.split('-')[0]) && !known.has(id))
        .map((id) => `${file}: ${id}`),
    )
  expect(unknown).toEqual([])
})
