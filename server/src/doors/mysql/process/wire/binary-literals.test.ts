import { expect, it } from 'vitest'
import { withHexLiterals } from './binary-literals.ts'

const sent = (text: string, hasBackslash = true): string =>
  withHexLiterals(Buffer.from(text, 'latin1'), hasBackslash).toString('latin1')

it.each([
  ["insert into t values (_binary'\xff\\0a\\'b''c\\\\')", "insert into t values (X'ff0061276227635c')"],
  ["select _binary'a\\nb', _binary'\xe9'", "select X'610a62', X'e9'"],
  ["_binary'\xff'", "X'ff'"],
])('writes bytes in digits: %j', (text, expected) => {
  expect(sent(text)).toBe(expected)
})

it('takes a backslash for itself where it is no escape', () => {
  expect(sent("select _binary'\xff\\', 'it''s'", false)).toBe("select X'ff5c', 'it''s'")
})

it.each([
  "select _binary'abc', '_binary\\'\xff\\''",
  'select "_binary\'\xff\'"',
  "select `_binary'\xff'`",
  "select 1 -- _binary'\xff'",
  "select 1 # _binary'\xff'\n, 2",
  "select 1 /* _binary'\xff' */",
  "select my_binary'\xff'",
  "select '\xff'",
  'select 1',
])('leaves what is no such literal: %j', (text) => {
  expect(sent(text)).toBe(text)
})

it('reads on behind a comment of MySQL, and to the end of what is never closed', () => {
  expect(sent("/*!40000 insert into t values (_binary'\xff') */")).toBe(
    "/*!40000 insert into t values (X'ff') */",
  )
  for (const text of [
    "select _binary'\xff",
    "select _binary'\xff\\'",
    "select 'x",
    "/* _binary'",
    "_binary'\\",
  ])
    expect(sent(text)).toBe(text)
})
