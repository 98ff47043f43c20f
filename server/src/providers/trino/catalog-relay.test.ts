import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../kernel/log.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import type { AskedMetadata } from '../iceberg/iceberg-catalog.ts'
import { openCatalogRelay } from './catalog-relay.ts'

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-relay-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const asked: (AskedMetadata & { accountId: string })[] = []
  const require = (accountId: string, catalogId: string): void => {
    if (`${accountId}.${catalogId}` !== 'ACC1.mine')
      throw new OutsideRefused('missing', 'there is no such catalog')
  }
  const relay = await openCatalogRelay(
    {
      async metadata(accountId, { catalogId, metadata }) {
        require(accountId, catalogId)
        if (metadata.of === 'table' && metadata.name === 'broken') throw new TypeError('secret stack')
        if (metadata.of === 'table' && metadata.name === 'away')
          throw new OutsideRefused('unreachable', 'no server answers there')
        asked.push({ accountId, ...metadata })
        return '{"ok":1}'
      },
    },
    { portFile: join(directory, 'relay.port'), log: createLog('silent') },
  )
  onTestFinished(() => relay.close())
  relay.admit('token-1', 'ACC1')
  relay.admit('token-2', 'ACC2')
  const ask = async (path: string, { token = 'token-1', method = 'GET' } = {}) => {
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch(`${relay.url}${path}`, { method, headers })
    return { status: response.status, answer: (await response.json()) as unknown }
  }
  return { relay, ask, asked }
}

test('a cluster comes in with its token alone, and has the catalogs of its own account', async () => {
  const { relay, ask, asked } = await setUp()
  const path = '/mine/v1/namespaces'
  for (const token of ['', 'token-3', 'token-1x'])
    expect(await ask(path, { token })).toMatchObject({ status: 401 })
  expect(await ask(path, { token: 'token-2' })).toMatchObject({ status: 404 })
  expect(asked).toEqual([])
  expect(await ask(path)).toEqual({ status: 200, answer: { ok: 1 } })
  relay.admit('', 'ACC1')
  expect(await ask(path, { token: '' })).toMatchObject({ status: 401 })
  relay.dismiss('token-1')
  expect(await ask(path)).toMatchObject({ status: 401 })
})

test('questions are read as Java writes them', async () => {
  const { ask, asked } = await setUp()
  expect((await ask('/mine/v1/config?warehouse=x')).answer).toMatchObject({ overrides: {} })
  for (const path of [
    '/mine/v1/namespaces?parent=a%20b%1Fc&pageToken=p',
    '/mine/v1/namespaces/a+b%1Fc%2Bd',
    '/mine/v1/namespaces/a/tables?pageToken=2',
    '/mine/v1/namespaces/a/tables/t%2Fu?snapshots=refs',
  ])
    expect(await ask(path)).toMatchObject({ status: 200 })
  const accountId = 'ACC1'
  expect(asked).toEqual([
    { accountId, of: 'namespaces', parent: ['a b', 'c'], pageToken: 'p' },
    { accountId, of: 'namespace', namespace: ['a b', 'c+d'] },
    { accountId, of: 'tables', namespace: ['a'], pageToken: '2' },
    { accountId, of: 'table', namespace: ['a'], name: 't/u', snapshots: 'refs' },
  ])
})

test('nothing that changes anything is there, and nothing else', async () => {
  const { ask, asked } = await setUp()
  for (const method of ['POST', 'DELETE', 'PUT'])
    expect(await ask('/mine/v1/namespaces/a/tables/t', { method })).toMatchObject({
      status: 406,
      answer: { error: { message: 'Catalogs over data elsewhere are read-only in a cluster.' } },
    })
  for (const path of [
    '/mine/v1/oauth/tokens',
    '/mine/v1/namespaces/a/views/v',
    '/mine/v1/namespaces//tables/t',
    '/mine/v1/namespaces/%ZZ',
    '/',
  ])
    expect([path, (await ask(path)).status]).toEqual([path, 406])
  expect(asked).toEqual([])
})

test('why it cannot be read is said in a sentence that a node understands, without our own troubles', async () => {
  const { ask } = await setUp()
  expect(await ask('/other/v1/namespaces/a/tables/t')).toEqual({
    status: 404,
    answer: {
      error: { code: 404, type: 'NoSuchTableException', message: 'There is no such catalog.' },
    },
  })
  expect(await ask('/mine/v1/namespaces/a/tables/away')).toMatchObject({
    status: 500,
    answer: { error: { message: 'No server answers there.' } },
  })
  const { status, answer } = await ask('/mine/v1/namespaces/a/tables/broken')
  expect([status, JSON.stringify(answer)]).toEqual([500, expect.not.stringContaining('stack')])
})
