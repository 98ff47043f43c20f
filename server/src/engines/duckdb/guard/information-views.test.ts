import { expect, test } from 'vitest'
import { withOwnInformation } from './information-views.ts'

test.each([
  ['SELECT * FROM information_schema.tables', 'SELECT * FROM information_listed.tables'],
  ['SELECT 1 FROM "Information_Schema" . COLUMNS c', 'SELECT 1 FROM "information_listed" . COLUMNS c'],
  ['FROM default_catalog.information_schema.tables', 'FROM default_catalog.information_schema.tables'],
  ['FROM information_schema.check_constraints', 'FROM information_schema.check_constraints'],
  ['CREATE VIEW v AS FROM information_schema.tables', 'CREATE VIEW v AS FROM information_schema.tables'],
  [`SELECT 'information_schema.tables'`, `SELECT 'information_schema.tables'`],
  ['SELECT 1 -- information_schema.tables', 'SELECT 1 -- information_schema.tables'],
])('%s', (sql, expected) => {
  expect(withOwnInformation(sql)).toBe(expected)
  expect(expected.length).toBe(sql.length)
})
