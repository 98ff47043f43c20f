import { expect, test } from 'vitest'
import { parseCatalog, stringifyCatalog } from './catalog-segment.ts'

test.each([
  ['default_catalog', 'internal'],
  ['my-lake', 'iceberg'],
  ['a-type-b', 'hive'],
  ['-type-', 'delta'],
  ['каталог 数据', 'iceberg'],
  ['100% / ? #', 'jdbc'],
])('the catalog %s of type %s comes back from its segment', (catalog, catalogType) => {
  const segment = stringifyCatalog({ catalog, catalogType })
  expect(parseCatalog(segment)).toEqual({ catalog, catalogType })
  expect(parseCatalog(decodeURIComponent(encodeURIComponent(segment)))).toEqual({ catalog, catalogType })
})

test('the segment is spelt as specified', () => {
  expect(stringifyCatalog({ catalog: 'lake', catalogType: 'hive' })).toBe('catalog-lake-type-hive')
})

test.each([
  '',
  'catalog-',
  'catalog-lake',
  'catalog-lake-type-',
  'catalog--type-hive',
  'table-lake-type-hive',
])('"%s" is no such segment', (segment) => {
  expect(parseCatalog(segment)).toBeNull()
})
