import { expect, test } from 'vitest'
import { layOutNested } from './nested-layout.ts'

const LONG = 'x'.repeat(70)

test.each(['', 'plain text', '[]', '[1, NULL, 3]', "{'a': 1, 'b c': x}", '{k=(1, 2), l=NULL}'])(
  'a short value stays on one line: %s',
  (text) => {
    expect(layOutNested(text)).toBe(text)
  },
)

test('a long value has a line for each member, and short groups in it stay together', () => {
  expect(layOutNested(`{'id': 1, 'tags': [a, b], 'text': ${LONG}, 'more': [${LONG}, (1, 2)]}`)).toBe(
    `{
  'id': 1,
  'tags': [a, b],
  'text': ${LONG},
  'more': [
    ${LONG},
    (1, 2)
  ]
}`,
  )
})

test('JSON is laid out as well, whatever its own white space', () => {
  expect(layOutNested(`{"a":[1,{"b":"${LONG}"}],\n   "c":{}}`)).toBe(
    `{
  "a":[
    1,
    {
      "b":"${LONG}"
    }
  ],
  "c":{}
}`,
  )
})

test('brackets, commas and white space inside quotes are text', () => {
  const quoted = String.raw`'it\'s ], {a},   b'`
  expect(layOutNested(`[${quoted}, ${LONG}]`)).toBe(`[\n  ${quoted},\n  ${LONG}\n]`)
})

test.each([`[1, 2`, `{a]`, `]${LONG}[`, `'${LONG}`, `(${LONG}}`])('%s is no such value and stays', (text) => {
  expect(layOutNested(text)).toBe(text)
})

test('only white space changes', () => {
  const text = `{'a': [1.10, NULL, '${LONG},${LONG}'], "b":{"c":"${LONG}"}}`
  expect(layOutNested(text).replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
})
