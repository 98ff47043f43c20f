import { expect, test } from 'vitest'
import {
  readAlterWarehouse,
  readCreateWarehouse,
  readDescribeWarehouse,
  readDropWarehouse,
  readResumeWarehouse,
  readSuspendWarehouse,
} from './warehouse-statements.ts'

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
  `CREATE WAREHOUSE w PROPERTIES (a = 1) PROPERTIES (b = 2)`,
  'DROP WAREHOUSE w',
])('finds no CREATE WAREHOUSE in %s', (text) => {
  expect(readCreateWarehouse(text)).toBeNull()
})

test.each([
  ['ALTER WAREHOUSE w RENAME TO v', { ...plain, rename: 'v' }],
  ['alter warehouse if exists "w" rename to "v"', { ...plain, lenient: true, rename: 'v' }],
  [`ALTER WAREHOUSE w SET ("size" = 'X-Large')`, { ...plain, properties: { size: 'X-Large' } }],
  [`ALTER WAREHOUSE w SET COMMENT = 'new'`, { ...plain, comment: 'new' }],
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
