import { expect, test } from 'vitest'
import { readDefinition } from './parts/definitions.ts'
import { findMention } from './text/names.ts'
import { readShow } from './statements/show-statements.ts'
import { analyse, readStatement } from './statement.ts'

test('a text is analysed into statements that know their place, their kind and what may be done with them', () => {
  const { count, statements } = analyse('use a;\n-- then\nselect 1; drop table t')
  expect(count).toBe(3)
  expect(statements.map(({ text, start, end, kind, class: of }) => [text, start, end, kind, of])).toEqual([
    ['use a', 0, 5, 'use-database', 'session'],
    ['select 1', 15, 23, 'select', 'reads'],
    ['drop table t', 25, 37, 'drop-table', 'writes'],
  ])
})

test('a statement in the middle of a text is read as it is alone', () => {
  const [, show, explain] = analyse(
    "select '(;';show tables from `a;b` like 'x';explain analyze drop table d.t;",
  ).statements
  expect(show && readShow(show)).toEqual({ what: 'show-tables', full: false, from: ['a;b'], like: 'x' })
  expect(explain && readDefinition(explain, explain.explained?.first)).toMatchObject({ name: ['d', 't'] })
  expect(explain?.explained).toMatchObject({ kind: 'drop-table', analyze: true, start: 16 })
})

test('beyond the wanted number statements are only counted', () => {
  expect(analyse(';a;b;c;', 2)).toEqual({ count: 3, statements: [] })
})

test('a name is found at its place, quoted or not, and distinguished when it is called', () => {
  const statement = readStatement("select 'glob(x)', a.Glob, `glob` /* here */ (1) -- glob(2)")
  const asked: [string, boolean][] = []
  const mention = findMention(statement, (name, isCalled) => {
    asked.push([name, isCalled])
    return isCalled && name === 'glob'
  })
  expect(mention).toEqual({ name: 'glob', offset: 26 })
  expect(asked).toEqual([
    ['select', false],
    ['a', false],
    ['Glob', false],
    ['glob', true],
  ])
})

test('what another thread made of a text says the same', () => {
  const { statements } = analyse('set catalog c; show tables')
  const [, show] = structuredClone(statements)
  expect(show && readShow(show)).toEqual({ what: 'show-tables', full: false })
})
