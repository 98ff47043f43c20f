import '../../i18n/catalog.ts'
import { quoteIdentifier } from '@boathouse/sql'
import { expect, test } from 'vitest'
import { failureIn, previewSql, queryProblem, type ViewDraft, viewSql } from './view-sql.ts'

const DRAFT: ViewDraft = {
  catalog: 'default_catalog',
  database: 'main',
  name: 'Big "boats"',
  query: ' select id from boats where x; ',
  comment: "It's large",
  columnComments: { id: 'Number', name: '' },
}

test('the form is a statement for the view, and one for each comment', () => {
  const path = ['default_catalog', 'main', DRAFT.name].map(quoteIdentifier).join('.')
  expect(viewSql(DRAFT).sql.split('\n')).toEqual([
    `CREATE VIEW ${path} AS`,
    'select id from boats where x;',
    `COMMENT ON VIEW ${path} IS 'It''s large';`,
    `COMMENT ON COLUMN ${path}.${quoteIdentifier('id')} IS 'Number';`,
  ])
  expect(previewSql('select 1 -- one').sql).toContain('\n) AS preview LIMIT 0')
})

test.each([
  ['select 1', undefined],
  ['with a as (select 1) select * from a;', undefined],
  ['', 'Enter a query'],
  ['select 1; drop table boats', 'A view has one query. Remove the other statements.'],
  ['drop table boats', 'Enter a query that returns rows, such as SELECT'],
  ['insert into boats values (1)', 'Enter a query that returns rows, such as SELECT'],
])('the form runs one query and nothing else: %s', (query, problem) => {
  expect(queryProblem(query)).toBe(problem)
})

test('an error is shown at its place in the query as typed', () => {
  const query = '  select\n  nope from boats'
  const around = viewSql({ ...DRAFT, query })
  const offset = around.sql.indexOf('nope')
  expect(failureIn(query, around, { message: 'There is no column nope', offset })).toEqual({
    message: 'Line 2, column 3: There is no column nope',
    at: query.indexOf('nope'),
  })
  const inPreview = previewSql(query)
  expect(failureIn(query, inPreview, { message: 'x', offset: inPreview.sql.indexOf('nope') })).toMatchObject({
    at: query.indexOf('nope'),
  })
  expect(failureIn(query, around, { message: 'The name is taken', offset: 3 })).toEqual({
    message: 'The name is taken',
    at: null,
  })
})
