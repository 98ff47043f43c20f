import { expect, test } from 'vitest'
import { hiveType, writtenType } from './types.ts'

const ours = (text: string): string => writtenType(hiveType(text, 'c'))

test.each([
  ['boolean', 'BOOLEAN'],
  ['tinyint', 'TINYINT'],
  ['smallint', 'SMALLINT'],
  ['int', 'INTEGER'],
  ['INTEGER', 'INTEGER'],
  ['bigint', 'BIGINT'],
  ['float', 'FLOAT'],
  ['double', 'DOUBLE'],
  ['decimal', 'DECIMAL(10, 0)'],
  ['decimal(9,2)', 'DECIMAL(9, 2)'],
  ['decimal( 38 , 0 )', 'DECIMAL(38, 0)'],
  ['string', 'VARCHAR'],
  ['char(3)', 'VARCHAR'],
  ['varchar(65535)', 'VARCHAR'],
  ['date', 'DATE'],
  ['timestamp', 'TIMESTAMP'],
  ['timestamp with local time zone', 'TIMESTAMP WITH TIME ZONE'],
  ['binary', 'BLOB'],
  ['array<int>', 'INTEGER[]'],
  ['map<string,array<decimal(9,2)>>', 'MAP(VARCHAR, DECIMAL(9, 2)[])'],
  ['struct<id:bigint,At:timestamp>', 'STRUCT("id" BIGINT, "At" TIMESTAMP)'],
  ['array<struct<a:map<string,int>, b c:string>>', 'STRUCT("a" MAP(VARCHAR, INTEGER), "b c" VARCHAR)[]'],
  ['struct<q":int>', 'STRUCT("q""" INTEGER)'],
])('%s of Hive is %s here', (hive, type) => expect(ours(hive)).toBe(type))

test.each([
  '',
  'uniontype<int,string>',
  'interval_day_time',
  'array<int',
  'array<>',
  'map<string>',
  'struct<>',
  'struct<a>',
  'struct<a:int',
  'int>',
  'decimal(39,0)',
  'decimal(2,3)',
  'decimal(9',
  'int); DROP TABLE x; --',
  'varchar(1) x',
  '__proto__',
])('%j is refused by its name', (hive) =>
  expect(() => ours(hive)).toThrow(`its column c has the type ${hive}, which this engine does not read`),
)

test('a type without end is refused, and soon', () => {
  expect(() => ours('array<'.repeat(100_000))).toThrow('which this engine does not read')
  expect(() => ours(`struct<${'a:int,'.repeat(20_000)}a:int>`)).toThrow('which this engine does not read')
})
