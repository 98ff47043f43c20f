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
/** Of a test, with the call before it, or with the end of a list of cases. */
const TITLE =
  /^\s*(?:(?:test|it|describe)(?:\.\w+)*(?:\([^'"`\n]*\))?|\](?: as const)?\))\(\s*(['"`])(?:(?!\1).)*\1/gm
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

interface Banned {
  readonly pattern: string
  readonly instead: string
}

/** Of each text that has one of the words: its place, the text and what to write instead. */
function withBanned(texts: readonly Text[], banned: readonly Banned[]): readonly string[] {
  const patterns = banned.map(({ pattern, instead }) => ({ instead, pattern: new RegExp(pattern, 'i') }))
  return texts.flatMap(({ place, text }) => {
    const found = patterns.find(({ pattern }) => pattern.test(text))
    return found ? [`${place}: ${text} (instead: ${found.instead})`] : []
  })
}

const SOURCES = ['server/src', 'packages', 'console', 'cli', 'bench', 'e2e', 'scripts']
const NOT_OURS = /\bnode_modules\b|\bdist\b/

/** Comments, and the titles of tests. */
const comments: readonly Text[] = [
  ...SOURCES.flatMap((folder) => filesIn(folder, /\.(?:tsx?|mjs|css)$/)),
  'vitest.config.ts',
  'vitest.patience.ts',
  'vitest.sequencer.ts',
  'vitest.tools.config.ts',
]
  .filter((file) => !NOT_OURS.test(file))
  .flatMap((file) => {
    const source = read(file)
    const written = [...source.matchAll(COMMENT)].map(([text]) => text.replaceAll(CODE, ''))
    const titles = [...source.matchAll(TITLE)].map(([text]) => text)
    return [...written, ...titles].map((text) => ({
      place: file,
      text: text.replaceAll(/\s*\n\s*\*?\s*/g, ' '),
    }))
  })

const TARGET_OF_LINK = /\]\([^)]*\)/g
/** Before an item, a row, a heading or an empty line. */
const NEXT_PIECE = /\n(?=\s*(?:[-*|#]|\d+\.|\n))/

/** What is written for those who work on the code, by paragraph, item and row. */
const decisions: readonly Text[] = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/decisions.md',
  ...filesIn('docs/adr', /\.md$/),
  ...SOURCES.flatMap((folder) => filesIn(folder, /\.md$/)),
]
  .filter((file) => !NOT_OURS.test(file))
  .flatMap((file) =>
    read(file)
      .replaceAll(CODE, '')
      .replaceAll(TARGET_OF_LINK, ']')
      .split(NEXT_PIECE)
      .map((text) => ({ place: file, text: text.replaceAll(/\s+/g, ' ').trim() })),
  )

/** Those that say which words not to use. */
const ABOUT_WORDS = /^(?:\| (?:retry|resume|notify)\b|3\. Never ‘whoever’)/

describe('comments, titles of tests, decisions and READMEs', () => {
  test('there is something to read', () => {
    expect(comments.length).toBeGreaterThan(5_000)
    expect(decisions.length).toBeGreaterThan(1_000)
  })

  test('are in plain words', () => {
    const texts = [...comments, ...decisions].filter(({ text }) => !ABOUT_WORDS.test(text))
    expect(withBanned(texts, words.everywhere)).toEqual([])
  })

  test('have the right term where the code speaks', () => {
    expect(withBanned(comments, words.bannedInComments)).toEqual([])
  })
})
