import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const DOC = 'docs/security.md'

/** A link to a test: its title, or the beginning of it, and its file. */
const TEST_LINK = /\[([^\]]+)\]\(([^)\s]+\.(?:test|spec)\.tsx?)\)/g

const bare = (text: string): string => text.replaceAll(/[`\\]/g, '').replaceAll('’', "'")

test('every test that the threat model names exists, in the file it names', () => {
  const links = [...readFileSync(join(root, DOC), 'utf8').matchAll(TEST_LINK)]
  expect(links.length).toBeGreaterThan(40)
  const missing = links.flatMap(([, title = '', file = '']) => {
    const text = bare(readFileSync(join(root, dirname(DOC), file), 'utf8'))
    return text.includes(bare(title)) ? [] : [`${file}: ${title}`]
  })
  expect(missing).toEqual([])
})

test('every row of a threat names a test', () => {
  const rows = readFileSync(join(root, DOC), 'utf8')
    .split('## Who may try what')[1]
    ?.split('\n')
    .filter((line) => line.startsWith('|') && !/^\|(?:---| What they may try)/.test(line))
  expect(rows?.length).toBeGreaterThan(40)
  expect(rows?.filter((row) => !/\]\([^)]+\.(?:test|spec)\.tsx?\)/.test(row))).toEqual([])
})
