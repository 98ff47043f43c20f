import { expect, test } from 'vitest'
import { splitStatements, statementAt } from './split.ts'

const texts = (text: string) => splitStatements(text).map((statement) => statement.text)

test('gives each statement with its place', () => {
  expect(splitStatements('select 1;\r\n  select 2 ;')).toEqual([
    { text: 'select 1', start: 0, end: 8 },
    { text: 'select 2', start: 13, end: 21 },
  ])
})

test('several statements in one text are taken one by one, and empty ones left out [EDITOR-57]', () => {
  expect(texts('use a; ;; /* c; */ ; select 1')).toEqual(['use a', 'select 1'])
  expect(texts(' -- nothing;\n')).toEqual([])
  expect(texts('')).toEqual([])
})

test('comments around a statement are no part of it, those and hints inside are [EDITOR-57]', () => {
  expect(texts('-- a;\n/* b; */ select /*+ h;i */ 1 -- c;\n + 1 -- d\n;')).toEqual([
    'select /*+ h;i */ 1 -- c;\n + 1',
  ])
})

test.each([
  `select ';'`,
  'select $$;$$',
  'select $a$;$$;$a$',
  `select E'\\';'`,
  'select ";"',
  'select `;`',
  'f(a;b)',
])('does not part %s', (text) => {
  expect(texts(`${text};x`)).toEqual([text, 'x'])
})

test('a parenthesis that is never closed does not swallow what follows', () => {
  expect(texts('select (1; select (2); select 3')).toEqual(['select (1', 'select (2)', 'select 3'])
})

/** The statement at the place that a bar marks. */
function atBar(marked: string): string | null {
  return statementAt(marked.replace('|', ''), marked.indexOf('|'))?.text ?? null
}

test.each([
  ['|select 1; select 2', 'select 1'],
  ['sel|ect 1; select 2', 'select 1'],
  ['select 1|; select 2', 'select 1'],
  ['select 1;| select 2', 'select 1'],
  ['select 1;|select 2', 'select 2'],
  ['select 1; |select 2', 'select 2'],
  ['select 1; -- a|\nselect 2', 'select 1'],
  ['select 1;\n\n|\nselect 2', 'select 1'],
  ['select 1;\n-- about| 2\nselect 2', 'select 2'],
  ['-- about| 1\nselect 1', 'select 1'],
  ['select 1\n-- a|\n; select 2', 'select 1'],
  ['select 1;\n-- the end|', 'select 1'],
  ['select 1\n\n|', 'select 1'],
  ['select 1;;|', 'select 1'],
])('at the cursor in %j stands %j', (marked, statement) => {
  expect(atBar(marked)).toBe(statement)
})

test.each(['|', '  |  ', '|\nselect 1', ';|', '-- only| a comment'])(
  'at the cursor in %j stands nothing',
  (marked) => {
    expect(atBar(marked)).toBeNull()
  },
)

test('a statement at the cursor carries its place in the whole text', () => {
  expect(statementAt('select 1;\nselect 2', 12)).toEqual({
    text: 'select 2',
    start: 10,
    end: 18,
  })
})
