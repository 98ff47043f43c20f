import { CODES, user as userCalls, vpce, VPCE_MESSAGES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { SERVICE_ID, startEc2 } from '../../testing/ec2-server.ts'
import { refusalOf } from '../../testing/mysql-kit.ts'
import {
  endpointId,
  privateCall,
  privateMysql,
  privateRequest,
  proxyHeader,
  requestEndpoint,
  WITH_PRIVATE_LINK,
} from '../../testing/private-kit.ts'
import { startApp } from '../../testing/start-app.ts'

const OWNER = '123456789012'
/** Where the load balancer is. */
const BALANCER = '127.0.0.21'
const IN_VPC = '10.20.0.7'

async function start(settings: Record<string, string> = {}) {
  const ec2 = await startEc2()
  const app = await startApp({ ...ec2.settings, ...settings })
  const admin = await app.admin()
  const of = { account: app.accountId, endpoint: endpointId(1) }
  const listed = async () => (await admin.call(vpce.list, {})).data.endpoints
  return { ec2, app, admin, of, listed }
}

test('an endpoint is not approved that AWS does not know, or that is of another AWS account', async () => {
  const { ec2, app, admin, of, listed } = await start()
  await requestEndpoint(admin, { n: 1 })
  await expect(app.operator('private-link approve', of)).rejects.toThrow(
    VPCE_MESSAGES.notReceived(of.endpoint),
  )
  ec2.connections.set(of.endpoint, { owner: '999999999999', state: 'pendingAcceptance' })
  await expect(app.operator('private-link approve', of)).rejects.toThrow('AWS account 999999999999')
  ec2.connections.set(of.endpoint, { owner: OWNER, state: 'deleted' })
  await expect(app.operator('private-link approve', of)).rejects.toThrow('have not received')
  await expect(app.operator('private-link approve', { ...of, addresses: '10.0.0.0/8' })).rejects.toThrow(
    'omit --addresses',
  )
  expect(await listed()).toMatchObject([{ status: 'pending' }])
  expect(ec2.actions.filter((action) => !action.startsWith('Describe'))).toEqual([])
})

test('AWS that fails, or does not accept the keys, is said in words, and nothing is approved', async () => {
  const { ec2, app, admin, of, listed } = await start()
  await requestEndpoint(admin, { n: 1 })
  ec2.trouble.status = 503
  await expect(app.operator('private-link approve', of)).rejects.toThrow('AWS EC2 answers with the error 503')
  const wrong = await start({ BOATHOUSE_AWS_SECRET_KEY: 'another' })
  await requestEndpoint(wrong.admin, { n: 1 })
  await expect(wrong.app.operator('private-link approve', wrong.of)).rejects.toThrow(
    'keys of this service are wrong',
  )
  expect(await listed()).toMatchObject([{ status: 'pending' }])
})

test('approving accepts the connection in AWS; rejecting and deleting close it, and later what was missed [SEC-22, SEC-23]', async () => {
  const { ec2, app, admin, of, listed } = await start()
  // As many as three pages have.
  for (let n = 10; n < 14; n++) ec2.connections.set(endpointId(n), { owner: OWNER, state: 'rejected' })
  ec2.connections.set(of.endpoint, { owner: OWNER, state: 'pendingAcceptance' })
  await requestEndpoint(admin, { n: 1 })
  expect((await admin.call(vpce.list, {})).data.serviceName).toBe(
    `com.amazonaws.vpce.us-east-1.${SERVICE_ID}`,
  )
  expect(await listed()).toMatchObject([{ requestSeenAt: null }])
  await app.vpcEndpoints.followCloud()
  expect(await listed()).toMatchObject([{ requestSeenAt: app.clock.now().toISOString() }])

  const state = () => ec2.connections.get(of.endpoint)?.state
  await app.operator('private-link approve', of)
  expect([state(), (await listed())[0]?.status]).toEqual(['available', 'available'])
  await app.operator('private-link reject', { ...of, reason: 'no longer' })
  expect([state(), (await listed())[0]?.status]).toEqual(['rejected', 'rejected'])

  ec2.connections.set(of.endpoint, { owner: OWNER, state: 'pendingAcceptance' })
  await app.operator('private-link approve', of)
  ec2.trouble.status = 500
  expect((await admin.call(vpce.delete, { endpointId: of.endpoint })).code).toBe(CODES.Ok.code)
  ec2.trouble.status = null
  expect(state()).toBe('available')
  // An approval is accepted in AWS before it is written here: only what is seen twice is closed.
  await app.vpcEndpoints.followCloud()
  expect(state()).toBe('available')
  await app.vpcEndpoints.followCloud()
  expect(state()).toBe('rejected')
})

test('who requested the endpoint of somebody else does not close its connection in AWS', async () => {
  const { ec2, app, admin, of } = await start()
  const stranger = await (await app.otherAccount()).admin()
  ec2.connections.set(of.endpoint, { owner: OWNER, state: 'pendingAcceptance' })
  await requestEndpoint(admin, { n: 1 })
  await requestEndpoint(stranger, { n: 1 })
  await app.operator('private-link reject', { ...of, account: stranger.accountId, reason: 'not yours' })
  await stranger.call(vpce.delete, { endpointId: of.endpoint })
  await app.operator('private-link approve', of)
  await requestEndpoint(stranger, { n: 1 })
  await stranger.call(vpce.delete, { endpointId: of.endpoint })
  expect(ec2.connections.get(of.endpoint)?.state).toBe('available')
})

test('clients come in through the endpoint that the load balancer names, and through no other [REAL-04]', async () => {
  const { ec2, app, admin, of } = await start(WITH_PRIVATE_LINK)
  const stranger = await (await app.otherAccount()).admin()
  const through = (n: number, from = BALANCER) => ({ from, proxied: proxyHeader(IN_VPC, endpointId(n)) })
  const health = async (client: { from: string; proxied?: Buffer }) =>
    (await privateRequest(app, { ...client, path: '/healthz' }))?.status ?? null
  expect(await health(through(1))).toBeNull()

  ec2.connections.set(of.endpoint, { owner: OWNER, state: 'pendingAcceptance' })
  await requestEndpoint(admin, { n: 1 })
  await app.operator('private-link approve', of)
  expect(await health(through(1))).toBe(200)
  expect(await health(through(2))).toBeNull()
  expect(await health({ from: BALANCER })).toBeNull()

  const info = { call: userCalls.info, input: {} } as const
  expect(await privateCall(app, { ...through(1), token: admin.token }, info)).toMatchObject({
    code: CODES.Ok.code,
  })
  expect(await privateCall(app, { ...through(1), token: stranger.token }, info)).toMatchObject({
    code: CODES.IpBlocked.code,
  })

  const client = await privateMysql(app, through(1))
  const [[who]] = (await client.query('select user()')) as unknown as [[Record<string, string>]]
  expect(Object.values(who ?? {})).toEqual([`admin@${IN_VPC}`])
  expect(await refusalOf(privateMysql(app, through(2)))).not.toBeNull()
  expect(await refusalOf(privateMysql(app, { from: BALANCER }))).not.toBeNull()
  const ended = new Promise((resolve) => client.on('error', resolve))
  await admin.call(vpce.delete, { endpointId: of.endpoint })
  await ended
})

test('nobody but the load balancer says who somebody is', async () => {
  const { ec2, app, admin, of } = await start({
    ...WITH_PRIVATE_LINK,
    BOATHOUSE_PRIVATE_LINK_PROXIES: BALANCER,
  })
  ec2.connections.set(of.endpoint, { owner: OWNER, state: 'pendingAcceptance' })
  await requestEndpoint(admin, { n: 1 })
  await app.operator('private-link approve', of)
  const proxied = proxyHeader(IN_VPC, of.endpoint)
  expect(await privateRequest(app, { from: '127.0.0.22', proxied, path: '/healthz' })).toBeNull()
  expect(await refusalOf(privateMysql(app, { from: '127.0.0.22', proxied }))).not.toBeNull()
  expect(await privateRequest(app, { from: BALANCER, proxied, path: '/healthz' })).toMatchObject({
    status: 200,
  })
})
