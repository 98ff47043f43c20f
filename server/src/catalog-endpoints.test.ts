import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const endpointsOf = (text?: string) =>
  readConfig(text === undefined ? {} : { BOATHOUSE_CATALOG_ENDPOINTS: text }, '/srv').catalogEndpoints

test('no closed network is open to catalogs unless it is said', () => {
  expect(endpointsOf()).toEqual([])
})

test('addresses are opened by host and port, as catalogs name them', () => {
  expect(endpointsOf('http://10.0.0.7:9000, https://MinIO.internal:443/,http://[::1]:80')).toEqual([
    'http://10.0.0.7:9000',
    'https://minio.internal',
    'http://[::1]',
  ])
})

test.each([
  'minio.internal',
  'minio.internal:9000',
  'ftp://minio.internal',
  'http://minio.internal/path',
  'http://user:password@minio.internal',
  'http://minio.internal?x',
  'http://minio.internal?x=1',
  'http://minio.internal#x',
  'http://',
  'http://*',
  'http://a,',
])('%s is refused at the start', (text) => {
  expect(() => endpointsOf(text)).toThrow('BOATHOUSE_CATALOG_ENDPOINTS')
})
