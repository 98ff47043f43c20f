import { expect, test } from 'vitest'
import {
  createCatalogStatement,
  internalCatalog,
  RELAY_TOKEN_VARIABLE,
  relayedCatalog,
  renderCatalogs,
} from './catalogs.ts'
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

test('a catalog of another server is made without a secret, read-only, and with no keys of this machine', () => {
  const place = {
    id: 'a-b',
    url: 'http://127.0.0.1:9/a-b',
    region: 'eu-central-1',
    endpoint: "https://s3'.example",
  }
  const text = createCatalogStatement('shop', relayedCatalog({ ...place, accessKey: 'AKIA' }))
  expect(text).toContain(`"iceberg.rest-catalog.oauth2.token" = '\${ENV:${RELAY_TOKEN_VARIABLE}}'`)
  expect(text).toContain(`"iceberg.security" = 'READ_ONLY'`)
  expect(text).toContain(`"s3.endpoint" = 'https://s3''.example'`)
  expect(text).toContain(`"s3.aws-secret-key" = '\${ENV:BOATHOUSE_KEY_a_b}'`)
  const passing = createCatalogStatement('shop', relayedCatalog({ ...place, accessKey: null }))
  expect(passing).toContain(`"s3.aws-access-key" = 'nobody'`)
  expect(passing).not.toContain('BOATHOUSE_KEY')
  expect(() => createCatalogStatement('a" USING x', {})).toThrow(ClusterRefused)
})
