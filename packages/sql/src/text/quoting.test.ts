import { expect, test } from 'vitest'
import {
  backquoteIdentifier,
  quoteIdentifier,
  quoteString,
  unquoteIdentifier,
  unquoteString,
} from './quoting.ts'
import { TOKEN } from './token.ts'
import { tokensOf } from './tokens.ts'

test.each(['a', 'a"b', '"', 'a b;', '`', 'é', ''])('the name %j comes back from its quotes', (name) => {
  expect(unquoteIdentifier(quoteIdentifier(name))).toBe(name)
})

test.each(['a', "it's", "''", 'a\\', '$$', 'é', ''])('the text %j comes back from its quotes', (text) => {
  expect(unquoteString(quoteString(text))).toBe(text)
})

test('doubles the quotes inside', () => {
  expect(quoteIdentifier('a"b')).toBe('"a""b"')
  expect(quoteString("it's")).toBe("'it''s'")
})

test('refuses a NUL character, at which the engine would cut the statement', () => {
  expect(() => quoteIdentifier('a\0')).toThrow('The name contains a NUL character. Remove it.')
  expect(() => quoteString('a\0')).toThrow('The text contains a NUL character. Remove it.')
})

test('reads bare and backticked identifiers', () => {
  expect(unquoteIdentifier('Abc')).toBe('Abc')
  expect(unquoteIdentifier('`a``b"`')).toBe('a`b"')
})

test('reads strings with escapes and dollar quotes', () => {
  expect(unquoteString(`E'a\\'b''c\\n\\x41\\102\\q\\\\'`)).toBe(`a'b'c\nABq\\`)
  expect(unquoteString('$$a$b$$')).toBe('a$b')
  expect(unquoteString('$t$$$ $t$')).toBe('$$ ')
})

test.each(['a', 'a`b', '`', 'a"b\\', '', 'é ; --'])(
  '%j in backticks is that name under every sql_mode',
  (name) => {
    const quoted = backquoteIdentifier(name)
    expect(unquoteIdentifier(quoted)).toBe(name)
    for (const escapes of [true, false])
      for (const doubleIsText of [true, false])
        expect([...tokensOf(quoted, { escapes, doubleIsText }).kinds]).toEqual([TOKEN.quotedIdentifier])
    expect(() => backquoteIdentifier('a\0b')).toThrow('NUL')
  },
)
