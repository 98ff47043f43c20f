import { expect, test } from 'vitest'
import { listedTokens } from './listed-tokens.ts'

/** Each token that is not blank as `kind:text`, with `!` when unterminated. */
function show(text: string): string[] {
  return listedTokens(text)
    .filter((token) => token.kind !== 'whitespace')
    .map(({ kind, start, end, unterminated }) => {
      return `${kind}${unterminated ? '!' : ''}:${text.slice(start, end)}`
    })
}

test('gives offsets in UTF-16 units', () => {
  expect(listedTokens("é '😀' x").map(({ kind, start, end }) => [kind, start, end])).toEqual([
    ['word', 0, 1],
    ['whitespace', 1, 2],
    ['string', 2, 6],
    ['whitespace', 6, 7],
    ['word', 7, 8],
  ])
  expect(listedTokens('')).toEqual([])
})

test.each([
  ['a$b _c é1', ['word:a$b', 'word:_c', 'word:é1']],
  ['"a ""b"";" `c``;`', ['quotedIdentifier:"a ""b"";"', 'quotedIdentifier:`c``;`']],
  [`'it''s;' 'a\\'`, [`string:'it''s;'`, `string:'a\\'`]],
  [`E'a\\';' e'''x' Ex'y'`, [`string:E'a\\';'`, `string:e'''x'`, 'word:Ex', `string:'y'`]],
  ['$$a;$b$$ $t$ $$ $T$ $t$', ['string:$$a;$b$$', 'string:$t$ $$ $T$ $t$']],
  ['a$x$;', ['word:a$x$', 'punctuation:;']],
  ['1$x$;$x$', ['number:1', 'string:$x$;$x$']],
])('reads words, identifiers and strings of %j', (text, tokens) => {
  expect(show(text)).toEqual(tokens)
})

test('keeps the escapes of E strings in the parts that follow on later lines', () => {
  expect(show(`E'a' -- c\n 'b\\';'`)).toEqual([`string:E'a'`, 'comment:-- c', `string:'b\\';'`])
  expect(show(`E'a'\n'b\\''\n'c\\''`)).toHaveLength(3)
  expect(show(`E'a' 'b\\'`)).toEqual([`string:E'a'`, `string:'b\\'`])
  expect(show(`E'a' /*\n*/ 'b\\'`).at(-1)).toBe(`string:'b\\'`)
  expect(show(`E'a'\n, 'b\\'`).at(-1)).toBe(`string:'b\\'`)
  expect(show(`'a'\n'b\\'`)).toEqual([`string:'a'`, `string:'b\\'`])
})

test.each([
  [
    '1 1_000 1.5 .5 1. 1e5 1.e-3',
    ['1', '1_000', '1.5', '.5', '1.', '1e5', '1.e-3'].map((n) => `number:${n}`),
  ],
  ['1a 1.5e 1..2', ['number:1', 'word:a', 'number:1.5', 'word:e', 'number:1', 'punctuation:.', 'number:.2']],
  ['$1 $name ? ?2 :name', ['$1', '$name', '?', '?2', ':name'].map((p) => `parameter:${p}`)],
  [
    '(:a,:b)=:c',
    [
      'punctuation:(',
      'parameter::a',
      'punctuation:,',
      'parameter::b',
      'punctuation:)',
      'operator:=',
      'parameter::c',
    ],
  ],
])('reads numbers and parameters of %j', (text, tokens) => {
  expect(show(text)).toEqual(tokens)
})

test.each([`{'a':b}`, 'x[1:n]', 'x[:n]', 'lambda x:x', 'x::int', 'f(a:=1)'])(
  'sees no parameter in %s',
  (text) => {
    expect(listedTokens(text).map((token) => token.kind)).not.toContain('parameter')
  },
)

test.each([
  ['-- a;\nb', ['comment:-- a;', 'word:b']],
  ['-- a\rb', ['comment:-- a', 'word:b']],
  ['/* a /* b */ ; */ c', ['comment:/* a /* b */ ; */', 'word:c']],
  ['/*+ SET_VAR(a=b) */ c', ['comment:/*+ SET_VAR(a=b) */', 'word:c']],
  ['# a', ['operator:#', 'word:a']],
  ['5--1', ['number:5', 'comment:--1']],
  ['7//*c*/2', ['number:7', 'operator:/', 'comment:/*c*/', 'number:2']],
])('reads the comments of %j', (text, tokens) => {
  expect(show(text)).toEqual(tokens)
})

test('takes the longest operator there is', () => {
  expect(show('a->>b||c<>d//2')).toEqual([
    'word:a',
    'operator:->>',
    'word:b',
    'operator:||',
    'word:c',
    'operator:<>',
    'word:d',
    'operator://',
    'number:2',
  ])
})

test.each([`'a`, `E'a\\'`, `'a''`, '$$a$', '$t$ $$'])('marks the string %s as unterminated', (text) => {
  expect(show(text)).toEqual([`string!:${text}`])
})

test('marks identifiers and comments that do not end', () => {
  expect(show('"a""')).toEqual(['quotedIdentifier!:"a""'])
  expect(show('`a;')).toEqual(['quotedIdentifier!:`a;'])
  expect(show('/* a /* b */')).toEqual(['comment!:/* a /* b */'])
  expect(show('/*+ a')).toEqual(['comment!:/*+ a'])
})

test('treats the blanks of Unicode as the engine does', () => {
  expect(show('a\u00a0b\u200bc\u3000d\ufeff')).toEqual(['word:a', 'word:b', 'word:c', 'word:d'])
  expect(show('a\u2028b')).toEqual(['word:a\u2028b'])
  expect(show('a\vb\0')).toEqual(['word:a', 'unknown:\v', 'word:b', 'unknown:\0'])
})
