import { CODES, IAM_MESSAGES, iamRoleCalls as iam } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { startApp, type TestUser } from '../../testing/start-app.ts'
import { startSts, STS_PRINCIPAL } from '../../testing/sts-server.ts'

const ARN = 'arn:aws:iam::123456789012:role/reader'
const arnOf = (index: number): string => `arn:aws:iam::123456789012:role/reader-${index}`

const messageOf = async (user: TestUser, roleArn: string): Promise<string> =>
  (await user.call(iam.registerIamRole, { roleArn })).message

test('only administrators register and see roles', async () => {
  const app = await startApp()
  const reader = await app.user(['db_admin', 'security_admin'])
  for (const [call, input] of [
    [iam.iamRoles, {}],
    [iam.registerIamRole, { roleArn: ARN }],
    [iam.deleteIamRole, { roleArn: ARN }],
    [iam.checkIamRole, { roleArn: ARN }],
  ] as const)
    expect((await reader.call(call, input as never)).code).toBe(CODES.NoPermission.code)
})

test('a role is registered with its ARN, time and user, and refused when empty, invalid or registered [INT-18, INT-19, INT-20, INT-21]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  expect(await messageOf(admin, '')).toContain('IAM Role ARN is required')
  for (const wrong of ['reader', 'arn:aws:iam::12:role/r', `${ARN} x`, `${ARN}${'x'.repeat(3000)}`])
    expect(await messageOf(admin, wrong)).toContain('Please check whether your IAM Role ARN is valid')
  await admin.call(iam.registerIamRole, { roleArn: `  ${ARN} ` })
  expect((await admin.call(iam.iamRoles, {})).data.roles).toEqual([
    { roleArn: ARN, createdAt: app.clock.now().toISOString(), createdBy: admin.name },
  ])
  expect(await admin.call(iam.registerIamRole, { roleArn: ARN })).toMatchObject({
    code: CODES.NameTaken.code,
    message: IAM_MESSAGES.taken,
  })
  const other = await (await app.otherAccount()).admin()
  expect((await other.call(iam.iamRoles, {})).data.roles).toEqual([])
  expect((await other.call(iam.deleteIamRole, { roleArn: ARN })).code).toBe(CODES.NotFound.code)
  await admin.call(iam.deleteIamRole, { roleArn: ARN })
  expect((await admin.call(iam.iamRoles, {})).data.roles).toEqual([])
})

test('at most 20 roles, also when many are registered at once [INT-23]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) => admin.call(iam.registerIamRole, { roleArn: arnOf(index) })),
  )
  expect(answers.filter(({ code }) => code === CODES.Ok.code)).toHaveLength(20)
  expect(answers.find(({ code }) => code !== CODES.Ok.code)).toMatchObject({
    code: CODES.LimitReached.code,
    message: IAM_MESSAGES.full,
  })
  expect((await admin.call(iam.iamRoles, {})).data.roles).toHaveLength(20)
})

test('without AWS keys of the service, the page says what the operator must set', async () => {
  const app = await startApp()
  const admin = await app.admin()
  await admin.call(iam.registerIamRole, { roleArn: ARN })
  const { principal, problem } = (await admin.call(iam.iamRoles, {})).data
  expect([principal, problem]).toEqual([null, expect.stringContaining('BOATHOUSE_AWS_ACCESS_KEY')])
  expect((await admin.call(iam.checkIamRole, { roleArn: ARN })).data.problem).toBe(problem)
})

test('a role is assumed with the external ID of its account alone, and keys are renewed before they expire', async () => {
  const sts = await startSts()
  const app = await startApp(sts.settings)
  const admin = await app.admin()
  const other = await (await app.otherAccount()).admin()
  const { externalId, principal } = (await admin.call(iam.iamRoles, {})).data
  expect(principal).toBe(STS_PRINCIPAL)
  expect((await admin.call(iam.iamRoles, {})).data.externalId).toBe(externalId)
  for (const user of [admin, other]) await user.call(iam.registerIamRole, { roleArn: ARN })
  const problemFor = async (user: TestUser): Promise<string> =>
    (await user.call(iam.checkIamRole, { roleArn: ARN })).data.problem
  expect(await problemFor(admin)).toContain('trust policy')
  sts.trusts.set(ARN, externalId)
  expect([await problemFor(admin), await problemFor(other)]).toEqual([
    '',
    expect.stringContaining('trust policy'),
  ])

  const { iamRoles } = app
  const own = { roleArn: ARN, externalId: '' }
  const before = sts.sessions.length
  const [first] = await Promise.all([
    iamRoles.keysFor(app.accountId, own),
    iamRoles.keysFor(app.accountId, { ...own, externalId }),
  ])
  expect(first.accessKey).toMatch(/^ASIA/)
  await iamRoles.keysFor(app.accountId, own)
  expect(sts.sessions.length - before).toBeLessThanOrEqual(2)
  expect(sts.sessions.at(-1)).toBe(`boathouse-${app.accountId}`)

  await expect(iamRoles.keysFor(app.accountId, { ...own, externalId: 'x' })).rejects.toThrow(externalId)
  await expect(iamRoles.keysFor(other.accountId, own)).rejects.toThrow('trust policy')
  await admin.call(iam.deleteIamRole, { roleArn: ARN })
  await expect(iamRoles.keysFor(app.accountId, own)).rejects.toThrow('is not registered')
})

test('keys that are about to expire are not used', async () => {
  let now = new Date()
  const sts = await startSts(() => now)
  const app = await startApp(sts.settings)
  now = app.clock.now()
  const admin = await app.admin()
  sts.trusts.set(ARN, (await admin.call(iam.iamRoles, {})).data.externalId)
  await admin.call(iam.registerIamRole, { roleArn: ARN })
  const { iamRoles } = app
  const role = { roleArn: ARN, externalId: '' }
  await iamRoles.keysFor(app.accountId, role)
  app.clock.advance(1 * HOURS - 6 * MINUTES)
  await iamRoles.keysFor(app.accountId, role)
  expect(sts.sessions).toHaveLength(1)
  app.clock.advance(2 * MINUTES)
  await iamRoles.keysFor(app.accountId, role)
  expect(sts.sessions).toHaveLength(2)
})
