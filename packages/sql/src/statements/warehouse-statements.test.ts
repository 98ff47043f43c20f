import { expect, test } from 'vitest'
import { readStatement } from '../statement.ts'
import * as statements from './warehouse-statements.ts'

/** The options as names and values. */
function plainly(found: statements.WarehouseAlteration | null) {
  if (!found) return null
  const { options, ...others } = found
  return { ...others, properties: Object.fromEntries(options.map(({ name, value }) => [name, value])) }
}
const readAlterWarehouse = (text: string) => plainly(statements.readAlterWarehouse(readStatement(text)))
const readCreateWarehouse = (text: string) => plainly(statements.readCreateWarehouse(readStatement(text)))
const readDescribeWarehouse = (text: string) => statements.readDescribeWarehouse(readStatement(text))
const readDropWarehouse = (text: string) => statements.readDropWarehouse(readStatement(text))
const readResumeWarehouse = (text: string) => statements.readResumeWarehouse(readStatement(text))
const readSuspendWarehouse = (text: string) => statements.readSuspendWarehouse(readStatement(text))

const plain = { name: 'w', lenient: false, properties: {} }

test.each([
  ['CREATE WAREHOUSE w', plain],
  ['create warehouse if not exists `w`;', { ...plain, lenient: true }],
  [`CREATE WAREHOUSE w COMMENT 'it''s mine'`, { ...plain, comment: "it's mine" }],
  [
    `CREATE WAREHOUSE w COMMENT = 'x' PROPERTIES ("Size" = 'Small', "auto_suspend" = '10')`,
    { ...plain, comment: 'x', properties: { size: 'Small', auto_suspend: '10' } },
  ],
  ['CREATE WAREHOUSE w WITH (size = Medium)', { ...plain, properties: { size: 'Medium' } }],
  [
    `CREATE WAREHOUSE w WITH PROPERTIES (auto_suspend = -1) COMMENT ''`,
    { ...plain, comment: '', properties: { auto_suspend: '-1' } },
  ],
  [`CREATE WAREHOUSE w SIZE 'Medium'`, { ...plain, properties: { size: 'Medium' } }],
  [`CREATE WAREHOUSE w WITH SIZE = Medium`, { ...plain, properties: { size: 'Medium' } }],
  [
    `CREATE WAREHOUSE w size = 'Medium', auto_suspend = 5 auto_resume on COMMENT 'x'`,
    { ...plain, comment: 'x', properties: { size: 'Medium', auto_suspend: '5', auto_resume: 'on' } },
  ],
  [`CREATE WAREHOUSE w (size 'Small')`, { ...plain, properties: { size: 'Small' } }],
])('reads %s', (text, found) => {
  expect(readCreateWarehouse(text)).toEqual(found)
})

test.each([
  'CREATE WAREHOUSE',
  'CREATE WAREHOUSE a.b',
  'CREATE WAREHOUSE w x',
  'CREATE OR REPLACE WAREHOUSE w',
  'CREATE WAREHOUSE w COMMENT x',
  `CREATE WAREHOUSE w COMMENT 'a' COMMENT 'b'`,
  'CREATE WAREHOUSE w PROPERTIES',
  'CREATE WAREHOUSE w PROPERTIES ()',
  'CREATE WAREHOUSE w PROPERTIES (size)',
  `CREATE WAREHOUSE w PROPERTIES ("size" = 'Small'`,
  `CREATE WAREHOUSE w PROPERTIES ("size" = 'Small', "SIZE" = 'Large')`,
  `CREATE WAREHOUSE w size = 'Small' PROPERTIES (size = 'Large')`,
  'CREATE WAREHOUSE w size =',
  'CREATE WAREHOUSE w size = Small,',
  'DROP WAREHOUSE w',
])('finds no CREATE WAREHOUSE in %s', (text) => {
  expect(readCreateWarehouse(text)).toBeNull()
})

test.each([
  ['ALTER WAREHOUSE w RENAME TO v', { ...plain, rename: 'v' }],
  ['alter warehouse if exists "w" rename to "v"', { ...plain, lenient: true, rename: 'v' }],
  [`ALTER WAREHOUSE w SET ("size" = 'X-Large')`, { ...plain, properties: { size: 'X-Large' } }],
  [`ALTER WAREHOUSE w SET COMMENT = 'new'`, { ...plain, comment: 'new' }],
  [`ALTER WAREHOUSE w SET size='Large'`, { ...plain, properties: { size: 'Large' } }],
  [
    `ALTER WAREHOUSE w SET size = 'Large', auto_suspend = 0`,
    { ...plain, properties: { size: 'Large', auto_suspend: '0' } },
  ],
  [`ALTER WAREHOUSE w COMMENT 'new'`, { ...plain, comment: 'new' }],
  [
    'ALTER WAREHOUSE w SET PROPERTIES (auto_resume = false)',
    { ...plain, properties: { auto_resume: 'false' } },
  ],
])('reads %s', (text, found) => {
  expect(readAlterWarehouse(text)).toEqual(found)
})

test.each([
  'ALTER WAREHOUSE w',
  'ALTER WAREHOUSE w SET',
  'ALTER WAREHOUSE w RENAME v',
  'ALTER WAREHOUSE w RENAME TO a.b',
  'ALTER WAREHOUSE w RENAME TO v SET (a = 1)',
  'ALTER TABLE w RENAME TO v',
])('finds no ALTER WAREHOUSE in %s', (text) => {
  expect(readAlterWarehouse(text)).toBeNull()
})

test('reads DROP, SUSPEND, RESUME and DESCRIBE WAREHOUSE', () => {
  expect(readDropWarehouse('DROP WAREHOUSE w')).toEqual({ name: 'w', lenient: false })
  expect(readSuspendWarehouse('suspend warehouse IF EXISTS `w`')).toEqual({ name: 'w', lenient: true })
  expect(readResumeWarehouse('RESUME WAREHOUSE w; -- now')).toEqual({ name: 'w', lenient: false })
  expect(readDescribeWarehouse('DESCRIBE WAREHOUSE w')).toEqual({ name: 'w', lenient: false })
  expect(readDescribeWarehouse('desc warehouse "W"')).toEqual({ name: 'W', lenient: false })
  expect(readDescribeWarehouse('DESCRIBE WAREHOUSE')).toBeNull()
  expect(readDropWarehouse('DROP WAREHOUSE a, b')).toBeNull()
  expect(readDropWarehouse('DROP WAREHOUSE w CASCADE')).toBeNull()
  expect(readSuspendWarehouse('RESUME WAREHOUSE w')).toBeNull()
  expect(readResumeWarehouse(`RESUME WAREHOUSE 'w'`)).toBeNull()
})

test('an option knows where it stands', () => {
  const found = statements.readCreateWarehouse(readStatement(`CREATE WAREHOUSE w SIZE 'Small', rows = 3`))
  expect(found?.options).toEqual([
    { name: 'size', value: 'Small', offset: 19 },
    { name: 'rows', value: '3', offset: 33 },
  ])
})
