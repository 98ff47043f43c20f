import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import words from './banned-words.json'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Text {
  readonly place: string
  readonly text: string
}

const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file))

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const NOT_SHOWN = /\.test\.ts$|\btesting\b|\bconformance\b|\bscripted\b|\bsamples\b|corpus/
const COMMENT = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm
/** Of a test, with the call before it. */
const TITLE = /^\s*(?:test|it|describe)(?:\.\w+)*(?:\([^'"`\n]*\))?\(\s*(['"`])(?:(?!\1).)*\1/gm
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
/** Three words and more, of which the first may be a value. SQL is not for people. */
const SENTENCE = /^(?:[A-Z][a-z]+|\$\{[^}]*\}|[a-z]+) [\w$'’].* /

/** What the server, its engines and the command line say to people, in messages, mails and logs. */
const messages: readonly Text[] = ['server/src', 'cli/src', 'packages/sql/src', 'packages/client/src']
  .flatMap((folder) => filesIn(folder, /\.ts$/))
  .filter((file) => !NOT_SHOWN.test(file))
  .flatMap((file) =>
    [...read(file).replaceAll(COMMENT, '').matchAll(LITERAL)]
      .map(([, single, double, template]) => single ?? double ?? template ?? '')
      .filter(
        (text) =>
          SENTENCE.test(text) && !/\b(?:SELECT|FROM|select|from)\b.*\b(?:WHERE|where|as)\b/.test(text),
      )
      .map((text) => ({ place: file, text })),
  )

const CODE = /```[^]*?```|`[^`\n]*`/g

const pages: readonly Text[] = [
  'README.md',
  'CHANGELOG.md',
  'docs/operations.md',
  'docs/protocols.md',
  ...filesIn('docs/guide', /\.md$/),
].flatMap((file) =>
  read(file)
    .replaceAll(CODE, '')
    .split('\n')
    .map((text) => ({ place: file, text })),
)

test('there is something to read', () => {
  expect(messages.length).toBeGreaterThan(800)
  expect(pages.length).toBeGreaterThan(800)
})

describe.each(words.banned)('instead of $pattern: $instead', ({ pattern }) => {
  test('in messages of the server and in the docs for users and operators', () => {
    const banned = new RegExp(pattern, 'i')
    const found = [...messages, ...pages].filter(({ text }) => banned.test(text))
    expect(found.map(({ place, text }) => `${place}: ${text}`)).toEqual([])
  })
})

/** Comments, and the titles of tests. */
const comments: readonly Text[] = ['server/src', 'packages', 'console/src', 'cli', 'bench', 'e2e']
  .flatMap((folder) => filesIn(folder, /\.tsx?$/))
  .filter((file) => !/\bnode_modules\b|\bdist\b/.test(file))
  .flatMap((file) =>
    [...read(file).matchAll(COMMENT), ...read(file).matchAll(TITLE)].map(([text]) => ({
      place: file,
      text: text.replaceAll(/\s*\n\s*\*?\s*/g, ' '),
    })),
  )

describe('comments and titles of tests', () => {
  const banned = words.bannedInComments.map(({ pattern, instead }) => ({
    instead,
    words: new RegExp(pattern, 'i'),
  }))
  const found = comments.flatMap((comment) => {
    const one = banned.find(({ words: pattern }) => pattern.test(comment.text))
    return one ? [{ ...comment, instead: one.instead }] : []
  })

  test('there is something to read', () => {
    expect(comments.length).toBeGreaterThan(5_000)
  })

  test('are in plain words', () => {
    expect(found.map(({ place, text, instead }) => `${place}: ${text} (instead: ${instead})`)).toEqual([])
  })
})
