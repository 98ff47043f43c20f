import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Log } from '../../../kernel/log.ts'
import { createExistingCluster } from './existing-cluster.ts'
import { type ExistingAddress, openLine } from './line.ts'
import { PASSWORD, playCoordinator } from './testing/played-coordinator.ts'

/** Looks so often that a test waits for none, and so patient that a busy machine does not matter. */
const SOON = { look: 20, list: 40, patience: 60_000, run: 60_000, quiet: 0, lost: 600_000 }
const USER = 'check@ACME'

function clusterAt(address: ExistingAddress, times: Partial<typeof SOON> = {}) {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const log = pino({ level: 'trace' }, stream) as unknown as Log
  const cluster = createExistingCluster({ line: openLine(address), log, times: { ...SOON, ...times } })
  onTestFinished(() => cluster.close())
  return { cluster, lines }
}

test('a cluster is used as the user of the service, and for users under their own names', async () => {
  const { address, asked } = await playCoordinator()
  const { cluster } = clusterAt(address)
  await cluster.check(USER)
  expect([...cluster.catalogs]).toEqual(['sales', 'secret', 'system'])
  expect(cluster.nodes()).toMatchObject([
    { name: 'c', role: 'coordinator', state: 'running', memoryBytes: null },
    { name: 'w', role: 'worker', state: 'running' },
  ])
  const basic = `Basic ${Buffer.from(`boathouse-service:${PASSWORD}`).toString('base64')}`
  expect(
    asked.filter(({ path }) => path !== '/v1/info').every(({ authorization }) => authorization === basic),
  ).toBe(true)
  // Before it is known that it is a cluster at all, nothing secret is sent.
  expect(asked[0]).toMatchObject({ path: '/v1/info', authorization: undefined, user: undefined })
  expect(new Set(asked.flatMap(({ user }) => user ?? []))).toEqual(new Set(['boathouse-service', USER]))
})

test('a token is sent in the place of a password', async () => {
  const { address, asked } = await playCoordinator()
  const { cluster } = clusterAt({ ...address, credential: { token: 'a.b.c' } })
  await cluster.check(USER)
  expect(asked.at(-1)?.authorization).toBe('Bearer a.b.c')
})

const denied = 'Access Denied: User boathouse-service cannot impersonate user check@ACME'
const isStatement = (path: string): boolean => path.startsWith('/v1/statement')

test.each([
  ['a wrong password', 'does not accept the credentials', '/v1/statement', 401, 'Invalid credentials'],
  ['no impersonation', 'does not let this service act for its users', 'as user', 403, denied],
  [
    'no impersonation, as the error of a statement',
    'does not let this service act for its users',
    'as user',
    200,
    { id: 'q', error: { message: denied } },
  ],
  [
    'an old version',
    'version 400 of Trino, and 476',
    '/v1/info',
    200,
    { nodeVersion: { version: '400' }, starting: false },
  ],
  ['another server', 'is not a Trino server', '/v1/info', 200, '<html>Welcome</html>'],
  ['another service with JSON', 'is not a Trino server', '/v1/info', 200, { ok: true }],
  [
    'nonsense in the place of a version',
    'is not a Trino server',
    '/v1/info',
    200,
    { nodeVersion: { version: {} }, starting: false },
  ],
  ['a redirect', 'with the status 302', '/v1/info', 302, ''],
  ['a start', 'is being started', '/v1/info', 200, { nodeVersion: { version: '476' }, starting: true }],
  [
    'a worker',
    'that of a worker',
    '/v1/info',
    200,
    { nodeVersion: { version: '476' }, starting: false, coordinator: false },
  ],
  ['a status that no server has', 'it cannot be reached', '/v1/info', 999, ''],
  ['too much work', 'too busy, or is being started (503)', '/v1/info', 503, 'no'],
  ['nonsense for a statement', 'is not a Trino server', '/v1/statement', 200, '[]'],
  [
    'an error of a statement',
    'refuses a statement of this service: no such list',
    '/v1/statement',
    200,
    { id: 'q', error: { message: 'no such list\n\tat a.b.C' } },
  ],
  ['nothing of what a statement reads', 'does not say what statements read', '/v1/query', 200, {}],
] as const)('%s is refused with a sentence', async (_, sentence, where, status, body) => {
  const { address } = await playCoordinator(({ path, user }) => {
    const isMeant = where === 'as user' ? isStatement(path) && user === USER : path.startsWith(where)
    return isMeant ? [status, body] : undefined
  })
  const { cluster, lines } = clusterAt(address)
  const error = await cluster.check(USER).catch((reason: unknown) => reason as Error)
  expect(error).toMatchObject({ name: 'ClusterRefused' })
  expect(String(error)).toContain(sentence)
  // It is read by users of accounts.
  expect(`${String(error)} ${lines.join()}`).not.toMatch(/a-secret|localhost|Basic|Bearer/)
})

test('a cluster that is slow, or whose certificate nobody knows, is refused in time', async () => {
  const { address, play } = await playCoordinator(() => 'silence')
  await expect(clusterAt(address, { patience: 50 }).cluster.check(USER)).rejects.toThrow(
    'does not answer: it did not do so in time.',
  )
  play(() => 'cut')
  await expect(clusterAt(address).cluster.check(USER)).rejects.toThrow('the connection was cut')
  play(() => undefined)
  const { certificates: _, ...strange } = address
  await expect(clusterAt(strange).cluster.check(USER)).rejects.toThrow(
    'nobody that this service trusts has signed its certificate',
  )
  expect(() => openLine({ ...address, certificates: 'no certificate' })).toThrow('has no certificate in PEM')
})

test('without a worker it is used only where the coordinator computes itself', async () => {
  const { address, play } = await playCoordinator()
  const alone = [200, { id: 'q', data: [['c', true, 'active']] }] as const
  play(({ sql }) => (sql.includes('runtime.nodes') ? alone : undefined))
  await clusterAt(address).cluster.check(USER)
  play(({ sql }) => {
    if (sql.includes('runtime.nodes')) return alone
    const error = { message: 'No nodes available to run query' }
    return sql.includes('VALUES') ? [200, { id: 'q', error }] : undefined
  })
  await expect(clusterAt(address).cluster.check(USER)).rejects.toThrow('has no worker')
})

test('one that dies is seen, and used again as soon as it is back', async () => {
  const { address, die, rise } = await playCoordinator()
  const { cluster, lines } = clusterAt(address)
  await cluster.check(USER)
  const use = cluster.use()
  await cluster.requireWorkers()
  await die()
  await vi.waitFor(() => expect(cluster.requireWorkers()).rejects.toThrow('nothing listens at its address'))
  expect(cluster.nodes().map(({ state }) => state)).toEqual(['silent', 'silent'])
  let isBack = false
  void cluster.answers().then(() => (isBack = true))
  await rise()
  await vi.waitFor(() => expect(isBack).toBe(true))
  await cluster.requireWorkers()
  expect(lines.join()).not.toContain(PASSWORD)
  use.end()
})

test('one that stays away is lost to the warehouses that use it', async () => {
  const { address, die } = await playCoordinator()
  const { cluster } = clusterAt(address, { lost: 100 })
  await cluster.check(USER)
  const use = cluster.use()
  await die()
  expect(await use.lost).toContain('The cluster does not answer')
})

test('links are followed at the address of the setting, whatever they begin with', async () => {
  const { address } = await playCoordinator()
  const line = openLine(address)
  expect(line.addressOf('https://elsewhere.example/v1/statement/1?slug=2')).toBe(
    `${address.url}/v1/statement/1?slug=2`,
  )
  expect(line.addressOf('//elsewhere.example/v1')).toBe(`${address.url}/v1`)
  line.close()
})
