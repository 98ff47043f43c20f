import { expect, test } from 'vitest'
import { type ScanLimits, SCAN_LIMITS } from '../folders/layout.ts'
import { ObjectLayout } from './object-layout.ts'

const BASE = 'http://127.0.0.1:1/id'

function contentOf(keys: readonly string[], limits: Partial<ScanLimits> = {}) {
  const layout = new ObjectLayout(BASE, { ...SCAN_LIMITS, ...limits })
  for (const key of keys) layout.add({ key, size: 1, etag: '"e"', changedAt: new Date(0) })
  return layout.content()
}

test('names are laid out as files of a folder are', () => {
  const { databases, tables } = contentOf([
    'readme.csv',
    'sales/readme.csv',
    'sales/orders/b.parquet',
    'sales/orders/a.parquet',
    'sales/orders/_SUCCESS',
    'sales/orders/.hidden/a.parquet',
    'sales/days/day=1/a.csv',
    'sales/days/day=2/a.csv',
    'sales/mixed/a.csv',
    'sales/mixed/b.json',
    'sales/uneven/a.csv',
    'sales/uneven/x=1/a.csv',
    'other/t/a.jsonl.gz',
  ])
  expect(databases).toEqual(['other', 'sales'])
  expect(tables).toMatchObject([
    {
      table: 'orders',
      format: 'parquet',
      isPartitioned: false,
      files: [`${BASE}/sales/orders/a.parquet`, `${BASE}/sales/orders/b.parquet`],
    },
    { table: 'days', isPartitioned: true },
    { table: 'mixed', problem: expect.stringContaining('several formats') },
    { table: 'uneven', problem: expect.stringContaining('different depths') },
    { database: 'other', table: 't', format: 'json' },
  ])
})

test('no name makes an address of another place', () => {
  const { files, ignored } = contentOf([
    'a/../../etc/x.csv',
    'a/./x.csv',
    'a//t/x.csv',
    '/a/t/x.csv',
    'a/t/x?s3_endpoint=evil.csv',
    'a/t/*.csv',
    'a/t/x.csv#y.csv',
    'a/t/@evil:80/x.csv',
    'a b/t/ü.csv',
    'a/information_schema/x.csv',
    'pg_catalog/t/x.csv',
    'boathouse_internal/t/x.csv',
    'A/t/x.csv',
    'a/T/x.csv',
    'a/t/plain/x.csv',
    'a/t/x.exe',
  ])
  expect([...files.keys()]).toEqual([`${BASE}/a/t/x.csv%23y.csv`, `${BASE}/a%20b/t/%C3%BC.csv`])
  expect(ignored.length).toBeGreaterThan(8)
  for (const name of files.keys()) expect(new URL(name).href).toBe(name)
})

test('two names that are written the same in an address are not mixed up', () => {
  const { files, ignored } = contentOf(['a/t/x y.csv', 'a/t/x%20y.csv'])
  expect([...files.values()].map(({ key }) => key)).toEqual(['a/t/x y.csv'])
  expect(ignored).toEqual(['a/t/x%20y.csv differs from another only in how it is written'])
})

test('there are never too many', () => {
  const many = (count: number, name: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => name(at))
  expect(() =>
    contentOf(
      many(4, (at) => `a/t/${at}.csv`),
      { files: 3 },
    ),
  ).toThrow('more than 3 files')
  expect(() =>
    contentOf(
      many(4, (at) => `a/t${at}/x.csv`),
      { tables: 3 },
    ),
  ).toThrow('more than 3 tables')
  expect(() => contentOf(['a/t/x=1/y=2/z=3/f.csv'], { partitions: 2 })).toThrow('2 levels of partitions')
})
