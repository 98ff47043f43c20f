import { account, audit, CODES, LIMITS, type Sent, vpce, VPCE_MESSAGES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { whileOtherWrites } from '../../testing/locked-out.ts'
import { startApp, type TestUser } from '../../testing/start-app.ts'
import { verifyAudit } from '../audit/verify.ts'

type Draft = Sent<typeof vpce.create>
const DRAFT: Draft = {
  endpointId: 'vpce-0a1b2c3d4e5f67890',
  awsAccountId: '123456789012',
  region: 'local-1',
  connectionType: 'sql',
}
const numbered = (n: number): Draft => ({ ...DRAFT, endpointId: `vpce-${n.toString(16).padStart(17, '0')}` })

async function start() {
  const app = await startApp()
  const guard = await app.user(['security_admin'])
  return { app, guard, of: { account: app.accountId, endpoint: DRAFT.endpointId } }
}

const listed = async (user: TestUser) => (await user.call(vpce.list, {})).data.endpoints

test('endpoints are the affair of security administrators alone [SEC-01, SEC-16, ROLE-10]', async () => {
  const { app, guard } = await start()
  const others = await app.user(['user_admin', 'cluster_admin', 'db_admin'])
  const refused = [
    await others.call(vpce.list, {}),
    await others.call(vpce.create, DRAFT),
    await others.call(vpce.delete, { endpointId: DRAFT.endpointId }),
  ]
  expect(refused.map(({ code }) => code)).toEqual(Array(3).fill(CODES.NoPermission.code))
  expect(await listed(guard)).toEqual([])
})

test('a requested endpoint is listed with who requested it and when, and waits [SEC-16, SEC-17, SEC-18, SEC-22]', async () => {
  const { app, guard } = await start()
  expect((await guard.call(vpce.create, DRAFT)).code).toBe(CODES.Ok.code)
  app.clock.advance(60_000)
  const streaming = { ...numbered(7), connectionType: 'streaming' as const }
  await guard.call(vpce.create, streaming)
  const { region, endpoints } = (await guard.call(vpce.list, {})).data
  expect(region).toBe('local-1')
  expect(endpoints).toEqual([
    expect.objectContaining({ ...streaming, status: 'pending' }),
    {
      ...DRAFT,
      createdAt: '2026-03-01T09:00:00.000Z',
      creator: guard.name,
      status: 'pending',
      reason: null,
      decidedAt: null,
      addresses: '',
      requestSeenAt: null,
    },
  ])
  // Time alone gives no access.
  app.clock.advance(6 * 3_600_000)
  expect((await listed(guard)).map(({ status }) => status)).toEqual(['pending', 'pending'])
})

test.each([
  ['endpointId', '', VPCE_MESSAGES.endpointMissing],
  ['endpointId', '   ', 'Please enter endpoint ID'],
  ['endpointId', 'vpce-', VPCE_MESSAGES.endpointFormat],
  ['endpointId', 'vpce-XYZ12345', VPCE_MESSAGES.endpointFormat],
  ['endpointId', `vpce-${'a'.repeat(18)}`, VPCE_MESSAGES.endpointFormat],
  ['endpointId', 'vpc-0a1b2c3d', VPCE_MESSAGES.endpointFormat],
  ['awsAccountId', '', 'Please enter AWS account ID'],
  ['awsAccountId', '12345678901', VPCE_MESSAGES.accountFormat],
  ['awsAccountId', '1234567890123', VPCE_MESSAGES.accountFormat],
  ['awsAccountId', '12345678901a', VPCE_MESSAGES.accountFormat],
  ['region', '', VPCE_MESSAGES.regionMissing],
  ['region', 'EU West', VPCE_MESSAGES.regionFormat],
  ['region', 'eu-west-1', VPCE_MESSAGES.otherRegion('local-1', 'eu-west-1')],
  ['connectionType', 'carrier pigeon', ''],
])(
  'a request is refused for its %s %j [SEC-17, SEC-19, SEC-20, SEC-21, SEC-24]',
  async (field, value, message) => {
    const { guard } = await start()
    const refused = await guard.call(vpce.create, { ...DRAFT, [field]: value })
    expect(refused.code).toBe(CODES.BadInput.code)
    expect(refused.message).toContain(message)
    expect(await listed(guard)).toEqual([])
  },
)

test('an endpoint is in the list once, and another account has its own list', async () => {
  const { app, guard, of } = await start()
  await guard.call(vpce.create, DRAFT)
  const again = await guard.call(vpce.create, { ...DRAFT, endpointId: ` ${DRAFT.endpointId} ` })
  expect(again).toMatchObject({ code: CODES.NameTaken.code })
  const other = await app.otherAccount()
  const stranger = await other.admin()
  expect(await listed(stranger)).toEqual([])
  expect((await stranger.call(vpce.delete, { endpointId: DRAFT.endpointId })).code).toBe(CODES.NotFound.code)
  // Whose it is, is for the operator to see; it leads to one account at most.
  expect((await stranger.call(vpce.create, DRAFT)).code).toBe(CODES.Ok.code)
  await app.operator('private-link approve', of)
  const theirs = { ...of, account: other.accountId }
  await expect(app.operator('private-link approve', theirs)).rejects.toMatchObject({ code: 'Conflict' })
  expect(await listed(stranger)).toMatchObject([{ status: 'pending' }])
  await app.operator('private-link reject', { ...of, reason: 'not yours' })
  await app.operator('private-link approve', theirs)
  expect(await listed(stranger)).toMatchObject([{ status: 'available' }])
})

test('an account has a maximum of endpoints, also when two are requested at once', async () => {
  const { app, guard } = await start()
  for (let n = 1; n < LIMITS.endpointsPerAccount; n++) await guard.call(vpce.create, numbered(n))
  const lock = `update accounts set name = name where account_id = '${app.accountId}'`
  const answers = await whileOtherWrites(app.store.pool, [lock], () =>
    Promise.all([guard.call(vpce.create, numbered(998)), guard.call(vpce.create, numbered(999))]),
  )
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
    CODES.Ok.code,
    CODES.LimitReached.code,
  ])
  expect(await listed(guard)).toHaveLength(LIMITS.endpointsPerAccount)
})

test('the operator lists, approves and rejects with a reason, and may think again [SEC-18, SEC-22]', async () => {
  const { app, guard, of } = await start()
  await guard.call(vpce.create, DRAFT)
  app.clock.advance(1_000)
  await guard.call(vpce.create, numbered(1))
  expect(await app.operator('private-link list', { status: 'pending' })).toMatchObject([
    { account: app.accountId, ...DRAFT, creator: guard.name, status: 'pending' },
    numbered(1),
  ])
  expect(await app.operator('private-link list', { account: 'ZZZ99999' })).toEqual([])
  await expect(app.operator('private-link list', { status: 'open' })).rejects.toMatchObject({
    code: 'BadInput',
  })
  await expect(
    app.operator('private-link approve', { ...of, endpoint: 'vpce-00000000' }),
  ).rejects.toMatchObject({
    code: 'NotFound',
  })
  for (const reason of [undefined, '', ' ', 'x'.repeat(257)])
    await expect(app.operator('private-link reject', { ...of, reason })).rejects.toMatchObject({
      code: 'BadInput',
    })
  expect(await listed(guard)).toMatchObject([{ status: 'pending' }, { status: 'pending' }])

  await app.operator('private-link approve', of)
  await expect(app.operator('private-link approve', of)).rejects.toMatchObject({ code: 'Conflict' })
  const decidedAt = app.clock.now().toISOString()
  expect((await listed(guard))[1]).toMatchObject({ status: 'available', reason: null, decidedAt })
  await app.operator('private-link reject', { ...of, reason: 'Not in our contract' })
  expect((await listed(guard))[1]).toMatchObject({ status: 'rejected', reason: 'Not in our contract' })
  expect(await app.operator('private-link list', { status: 'pending' })).toHaveLength(1)
})

test('requests, decisions and the end of an endpoint are in the audit log', async () => {
  const { app, guard, of } = await start()
  await guard.call(vpce.create, DRAFT)
  await app.operator('private-link reject', { ...of, reason: 'Who are you?' })
  expect((await guard.call(vpce.delete, { endpointId: DRAFT.endpointId })).code).toBe(CODES.Ok.code)
  expect((await guard.call(vpce.delete, { endpointId: DRAFT.endpointId })).code).toBe(CODES.NotFound.code)
  expect(await listed(guard)).toEqual([])
  const { entries } = (await guard.call(audit.list, { objectType: 'private_link' })).data
  expect(entries.map(({ action, actor, objectName }) => [action, actor.name, objectName])).toEqual([
    ['private_link.delete', guard.name, DRAFT.endpointId],
    ['private_link.reject', 'operator', DRAFT.endpointId],
    ['private_link.create', guard.name, DRAFT.endpointId],
  ])
  expect(entries[1]?.changes).toEqual([
    { field: 'status', before: 'pending', after: 'rejected' },
    { field: 'reason', before: null, after: 'Who are you?' },
  ])
  expect((await verifyAudit(app.store.db, app.accountId))[0]).toMatchObject({ problem: null })
})

test('who connects is shown an endpoint once it is approved for SQL, and no longer when it is gone', async () => {
  const { app, guard, of } = await start()
  const someone = await app.user([])
  const shown = async () => (await someone.call(account.details, {})).data.queryEndpoint.privateEndpoints
  const streaming = { ...numbered(7), connectionType: 'streaming' as const }
  await guard.call(vpce.create, DRAFT)
  await guard.call(vpce.create, streaming)
  expect(await shown()).toEqual([])
  await app.operator('private-link approve', of)
  await app.operator('private-link approve', { ...of, endpoint: streaming.endpointId })
  expect(await shown()).toEqual([DRAFT.endpointId])
  await guard.call(vpce.delete, { endpointId: DRAFT.endpointId })
  expect(await shown()).toEqual([])
})
