import { expect, onTestFinished, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { CLIENT, startCatalogDoor } from '../../testing/iceberg-kit.ts'
import { createOutsideRequests } from '../bucket/outside-requests.ts'
import type { IcebergPlace } from './iceberg-catalog.ts'
import { createRestCatalogs } from './rest-catalogs.ts'

const NEVER = new AbortController().signal
/** More digits than a number of JavaScript keeps. */
const SNAPSHOT = '4611686018427387905'
const METADATA = `{"location":"s3://harbour/t","current-snapshot-id":${SNAPSHOT},"more":{"a":["}"]}}`
const TABLE = { of: 'table', namespace: ['sea'], name: 't', snapshots: 'all' } as const

async function setUp(place: Partial<IcebergPlace> = {}, vended: Record<string, string> = {}) {
  const namespaces = [['sea'], ['sea', 'north']]
  const door = await startCatalogDoor({ namespaces, tables: { 'sea.t': METADATA }, vended })
  onTestFinished(() => door.stop())
  const requests = createOutsideRequests({ openEndpoints: [new URL(door.url).origin] })
  onTestFinished(() => requests.close())
  const catalog = createRestCatalogs({ requests, clock: fakeClock() }).open({
    url: door.url,
    warehouse: 'harbour',
    credential: CLIENT,
    oauthUrl: '',
    oauthScope: '',
    endpoint: '',
    region: 'eu-central-1',
    keys: { accessKey: 'a', secretKey: 'b' },
    ...place,
  })
  return { door, catalog }
}

test('names and metadata come as the server writes them, with all digits', async () => {
  const { catalog, door } = await setUp()
  const names = await catalog.metadata({ of: 'namespaces', parent: ['sea'], pageToken: '' }, null, NEVER)
  expect(JSON.parse(names)).toMatchObject({ namespaces: [['sea', 'north']] })
  const tables = await catalog.metadata({ of: 'tables', namespace: ['sea'], pageToken: '' }, null, NEVER)
  expect(JSON.parse(tables)).toMatchObject({ identifiers: [{ name: 't' }] })
  const table = await catalog.metadata(TABLE, null, NEVER)
  expect(table).toBe(`{"metadata-location":"x","metadata":${METADATA},"config":{}}`)
  expect(door.asked.filter((one) => !one.startsWith('GET '))).toEqual(['POST /iceberg/v1/oauth/tokens'])
})

test('of what a server gives beside it, nothing is passed on but keys that end, and only to one without own keys', async () => {
  const vended = {
    token: 'for another place',
    uri: 'http://169.254.169.254',
    's3.access-key-id': 'k',
    's3.secret-access-key': 's',
    's3.session-token': 't',
  }
  const configOf = (text: string): unknown => (JSON.parse(text) as { config: unknown }).config
  const own = await setUp({}, vended)
  expect(configOf(await own.catalog.metadata(TABLE, null, NEVER))).toEqual({})
  const given = await setUp({ keys: null }, vended)
  expect(configOf(await given.catalog.metadata(TABLE, null, NEVER))).toEqual({
    's3.access-key-id': 'k',
    's3.secret-access-key': 's',
    's3.session-token': 't',
  })
  // Those of a role, which the service has assumed.
  const keys = { accessKey: 'role', secretKey: 'secret', sessionToken: 'session' }
  expect(configOf(await given.catalog.metadata(TABLE, keys, NEVER))).toEqual({
    's3.access-key-id': 'role',
    's3.secret-access-key': 'secret',
    's3.session-token': 'session',
  })
})

test.each([
  [{}, 'gives no keys'],
  [{ 's3.access-key-id': 'k', 's3.secret-access-key': 's' }, 'without a session token'],
  [
    { 's3.access-key-id': 'k', 's3.secret-access-key': 's', 's3.endpoint': 'http://10.0.0.1' },
    'at another endpoint',
  ],
])('keys %j are refused in a sentence', async (vended: Record<string, string>, sentence) => {
  const { catalog } = await setUp({ keys: null }, vended)
  await expect(catalog.metadata(TABLE, null, NEVER)).rejects.toThrow(sentence)
})

test('what is not there, and what is no metadata, is said', async () => {
  const { catalog, door } = await setUp()
  await expect(catalog.metadata({ ...TABLE, name: 'u' }, null, NEVER)).rejects.toMatchObject({
    reason: 'missing',
  })
  door.instead = (request, response) => {
    if (!request.url?.includes('/tables/')) return false
    response.writeHead(200).end('<html>')
    return true
  }
  await expect(catalog.metadata(TABLE, null, NEVER)).rejects.toMatchObject({ reason: 'nonsense' })
})
