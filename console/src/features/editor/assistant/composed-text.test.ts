import { expect, test } from 'vitest'
import { composedText, sqlIn } from './composed-text.ts'

test('a text says what is asked, then what there is', () => {
  const tables = [
    {
      table: 'sales',
      columns: [
        { name: 'day', detail: 'DATE' },
        { name: 'amount', detail: '' },
      ],
    },
  ]
  expect(composedText({ question: ' How much? ', tables })).toBe(
    'Question:\nHow much?\n\nTables:\nsales (day DATE, amount)',
  )
  expect(composedText({ sql: 'select 1 2', error: 'syntax error' })).toBe(
    'Statement:\nselect 1 2\n\nError:\nsyntax error',
  )
  expect(composedText({})).toBe('')
})

test('the SQL of an answer is what is in its first fence', () => {
  expect(sqlIn('Well:\n```sql\nselect 1\n```\nor\n```\nselect 2\n```')).toBe('select 1')
  expect(sqlIn('```\nselect 2\n```')).toBe('select 2')
  expect(sqlIn('select 1')).toBeNull()
  expect(sqlIn('```sql\n\n```')).toBeNull()
})
