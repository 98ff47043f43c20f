import { expect, test } from 'vitest'
import { rendered } from '../rendering/rendered.ts'
import { analyse, readStatement, type Statement } from '../statement.ts'
import { kindAt, type Piece, stringAt, textAt } from './piece.ts'
import type { Quotes } from './quotes.ts'
import { unquoteIdentifier } from './quoting.ts'
import { withStandardQuotes } from './requoting.ts'
import { originalOffset } from './text-edits.ts'
import { TOKEN } from './token.ts'

const MYSQL: Quotes = { escapes: true, doubleIsText: true }
const ANSI: Quotes = { escapes: true, doubleIsText: false }
const PLAIN: Quotes = { escapes: false, doubleIsText: true }

const sent = (text: string, quotes: Quotes): string => withStandardQuotes(readStatement(text, quotes))

test.each([
  [String.raw`select 'it\'s'`, `select 'it''s'`],
  [String.raw`select 'a''b'`, `select 'a''b'`],
  [String.raw`select 'a\\'`, String.raw`select 'a\'`],
  [String.raw`select 'a\nb\tc\Z'`, `select 'a\nb\tc\x1a'`],
  [String.raw`select '\q\"'`, `select 'q"'`],
  [String.raw`select 'a\0b'`, `select concat('a', chr(0), 'b')`],
  [String.raw`select "it's"`, `select 'it''s'`],
  [String.raw`select "say \"hi\""`, `select 'say "hi"'`],
  [String.raw`select "a""b"`, `select 'a"b'`],
  ['select `a"b`', 'select "a""b"'],
  [String.raw`select a like 'x\_%'`, String.raw`select a like 'x\_%' ESCAPE '\'`],
  [String.raw`select a like 'x\_%' escape '!'`, String.raw`select a like 'x\_%' escape '!'`],
  [String.raw`select E'a\'' "b"`, String.raw`select (E'a\'') 'b'`],
  [`select $$"a\\$$`, `select $$"a\\$$`],
])('texts of other servers are written as what they stand for: %s', (text, expected) => {
  expect(sent(text, MYSQL)).toBe(expected)
})

test('double quotes and backslashes are read separately, as each mode says', () => {
  const text = String.raw`select "a\"b", 'c\'d'`
  expect(sent(String.raw`select "a", 'c\'d'`, ANSI)).toBe(`select "a", 'c''d'`)
  expect(sent(String.raw`select "a", 'c\'`, PLAIN)).toBe(String.raw`select 'a', 'c\'`)
  expect(sent(text, MYSQL)).toBe(`select 'a"b', 'c''d'`)
})

test('what is never closed is named as what it is', () => {
  expect(readStatement(String.raw`select 'a\'`, MYSQL).unclosed).toEqual({
    what: 'text',
    closing: "'",
    offset: 7,
  })
  expect(readStatement('select "a', MYSQL).unclosed).toMatchObject({ what: 'text', closing: '"' })
  expect(readStatement('select "a', ANSI).unclosed).toMatchObject({ what: 'name', closing: '"' })
})

test('a place in what was written instead is found in the text', () => {
  const text = String.raw`select 'a\'b', nowhere`
  const rewriting = rendered(text, { quotes: MYSQL, systemVariables: {}, rules: null })
  expect(rewriting && originalOffset(rewriting, rewriting.text.indexOf('nowhere'))).toBe(15)
})

/** Each would run on, or hide what follows, if it were passed on as it is or quoted without care. */
const INJECTIONS = [
  String.raw`select '\'; drop table t; --'`,
  String.raw`select '\\\'; drop table t; --'`,
  String.raw`select "\"; drop table t; --"`,
  String.raw`select "'; drop table t; --"`,
  String.raw`select '"; drop table t; --'`,
  String.raw`select 'a\\', '; drop table t; --'`,
  String.raw`select "a\\", "; drop table t; --"`,
  String.raw`select E"\\", '; drop table t; --'`,
  String.raw`select e"\\"'; drop table t; --'`,
  String.raw`select 'x'"\\"'; drop table t; --'`,
  String.raw`select "x"'\\'"; drop table t; --"`,
  String.raw`select U&"\\" '; drop table t; --'`,
  String.raw`select x"\\" '; drop table t; --'`,
  String.raw`select N"\\" '; drop table t; --'`,
  String.raw`select $"\\" '; drop table t; --'`,
  String.raw`select 1"\\" '; drop table t; --'`,
  `select E'a'\n"\\\\", '; drop table t; --'`,
  `select E'a'\n'\\\\', '; drop table t; --'`,
  `select E'a' -- b\n'\\\\', '; drop table t; --'`,
  String.raw`select '\';' from t where a = '\'; drop table t; --'`,
  String.raw`select '%\'; drop table t; --' from t where a like '\\'`,
  "select `a\\`, '; drop table t; --'",
  'select "`\\"; drop table t; --`"',
  String.raw`select '\0'';drop table t;--'`,
  String.raw`select '\u0027; drop table t; --'`,
  String.raw`select '\x27; drop table t; --'`,
  `select '\u2019; drop table t; --'`,
  `select "\\\u00a0", "\\"; drop table t; --"`,
]

const wordsOf = (statement: Piece): string[] => {
  const words: string[] = []
  for (let at = statement.first; at < statement.until; at++)
    if (kindAt(statement, at) === TOKEN.word) words.push(textAt(statement, at).toLowerCase())
  return words
}

test.each(INJECTIONS)('one statement stays one, and nothing in its texts becomes a word: %s', (text) => {
  const { count, statements } = analyse(text, 10, MYSQL)
  expect(count).toBe(1)
  const engine = analyse(withStandardQuotes(statements[0] as Statement))
  expect(engine.count).toBe(1)
  expect(engine.statements[0]?.unclosed).toBeNull()
  expect(wordsOf(engine.statements[0] as Statement)).not.toContain('drop')
})

/** What a statement says, token by token, whatever it is quoted with; parentheses are put around some literals. */
function saidIn(statement: Piece): string[] {
  const said: string[] = []
  for (let at = statement.first; at < statement.until; at++) {
    const text = textAt(statement, at)
    const kind = kindAt(statement, at)
    if (kind === TOKEN.quotedIdentifier) said.push(`name ${unquoteIdentifier(text)}`)
    else if (kind === TOKEN.string && /^['"]/.test(text)) said.push(`text ${stringAt(statement, at)}`)
    else if (text !== '(' && text !== ')') said.push(text)
  }
  return said
}

const PIECES = [`'`, `"`, '\\', `''`, `""`, `\\'`, `\\"`, '\\\\', 'E', "E'", 'e"', 'x', 'a', '1', '$', '&']
const GAPS = [' ', '\n', ';', ',', '--', '/*', '*/', '(', ')', '`', '-- a\n', '$$', 'é', '\u2003']

function* randomTexts(count: number): Generator<string> {
  // A small generator of its own: the same texts in every run.
  let state = 20_261
  const draw = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
  for (let at = 0; at < count; at++) {
    const parts = Array.from({ length: 3 + draw(22) }, () => {
      const list = draw(3) === 0 ? GAPS : PIECES
      return list[draw(list.length)] ?? ''
    })
    yield `select ${parts.join('')}`
  }
}

test.each([
  ['as other servers do', MYSQL],
  ['with names in double quotes', ANSI],
  ['with plain backslashes', PLAIN],
])('in standard quotes any text says what was read %s', (_, quotes) => {
  const different: unknown[] = []
  let read = 0
  for (const text of randomTexts(6000)) {
    for (const statement of analyse(text, 100, quotes).statements) {
      if (statement.unclosed || statement.kind === 'unknown') continue
      read++
      const engine = readStatement(withStandardQuotes(statement))
      const [said, heard] = [saidIn(statement), saidIn(engine)]
      if (JSON.stringify(said) !== JSON.stringify(heard)) different.push({ text, said, heard })
    }
  }
  expect(different.slice(0, 3)).toEqual([])
  expect(read).toBeGreaterThan(600)
})
