import { expect, test } from 'vitest'
import { internalCatalog, renderCatalogs } from './catalogs.ts'
import { ClusterRefused } from './refused.ts'

const lake = internalCatalog({
  name: 'lake',
  databaseUrl: 'jdbc:postgresql://127.0.0.1:5432/db?currentSchema=iceberg_a',
  user: 'cluster',
  password: 'very secret',
  folder: '/data/lake',
})

test('secrets are in no file: files refer to them, and the processes know them', () => {
  const { files, environment } = renderCatalogs([lake])
  const text = files.get('lake.properties')
  expect(text).toContain('iceberg.catalog.type=jdbc')
  expect(text).toContain('iceberg.jdbc-catalog.connection-password=${ENV:BOATHOUSE_SECRET_1}')
  expect(text).not.toContain('very secret')
  expect(environment).toEqual({ BOATHOUSE_SECRET_1: 'very secret' })
})

test('two catalogs do not share a reference', () => {
  const other = { ...lake, name: 'other', secrets: { 's3.aws-secret-key': 'another' } }
  expect(renderCatalogs([lake, other]).environment).toEqual({
    BOATHOUSE_SECRET_1: 'very secret',
    BOATHOUSE_SECRET_2: 'another',
  })
})

test.each([
  ['a reference to a secret of the cluster', { 'iceberg.uri': '${ENV:BOATHOUSE_CLUSTER_SECRET}' }],
  ['a second line', { 'iceberg.uri': 'http://x\nconnector.name=memory' }],
  ['a name that is none', { 'a=b': 'c' }],
])('%s in a property is refused', (_, properties) => {
  expect(() => renderCatalogs([{ name: 'bad', properties }])).toThrow(ClusterRefused)
})

test.each(['Lake', '../lake', 'a b', ''])('%j is no name of a catalog', (name) => {
  expect(() => renderCatalogs([{ name, properties: {} }])).toThrow(ClusterRefused)
})

test('two of one name are refused', () => {
  expect(() => renderCatalogs([lake, lake])).toThrow('two catalogs with the name lake')
})
