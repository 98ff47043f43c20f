import { CODES, iamRoleCalls, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../../testing/fake-clock.ts'
import { startGlue } from '../../../testing/glue-server.ts'
import { startApp } from '../../../testing/start-app.ts'
import { startSts } from '../../../testing/sts-server.ts'

const ARN = 'arn:aws:iam::123456789012:role/reader'

const DRAFT = {
  name: 'lake',
  description: '',
  metastoreType: 'glue',
  s3Region: 'eu-central-1',
  accessKey: 'AKIAEXAMPLE',
  secretKey: 'very-secret-key',
} as const

const BY_ROLE = { ...DRAFT, access: 'role', accessKey: '', secretKey: '', roleArn: ARN } as const

test('nobody but a database administrator makes or tries catalogs over AWS Glue, and other accounts see none', async () => {
  const app = await startApp()
  const nobody = await app.user()
  const refused = { code: CODES.NoPermission.code }
  for (const draft of [DRAFT, BY_ROLE]) {
    expect(await nobody.call(schema.addCatalog, draft)).toMatchObject(refused)
    expect(await nobody.call(schema.testCatalog, draft)).toMatchObject(refused)
  }
  await (await app.admin()).call(schema.addCatalog, DRAFT)
  expect((await nobody.call(schema.databases, { catalog: 'lake' })).code).toBe(CODES.NotFound.code)
  const stranger = await app.stranger(['db_admin'])
  expect((await stranger.call(schema.databases, { catalog: 'lake' })).code).toBe(CODES.NotFound.code)
})

test('an invalid region, key, role or address is refused', async () => {
  const admin = await (await startApp()).admin()
  for (const wrong of [
    { s3Region: '' },
    { s3Region: 'eu-central-1.evil.example.com/' },
    { s3Endpoint: 'https://storage.example.com/path' },
    { accessKey: '' },
    { secretKey: 'a b' },
    { access: 'vended' },
    { access: 'role', roleArn: '' },
    { access: 'role', roleArn: 'arn:aws:iam::1:role/x' },
  ] as const)
    for (const call of [schema.addCatalog, schema.testCatalog] as const)
      expect([wrong, await admin.call(call, { ...DRAFT, ...wrong })]).toMatchObject([
        wrong,
        { code: CODES.BadInput.code },
      ])
})

test('without the extension that reads it, the form says what is missing, and the definition is kept [REAL-03]', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const { unreadable } = (await admin.call(schema.catalogOptions, {})).data
  const why = unreadable.find(({ metastoreType }) => metastoreType === 'glue')?.why ?? ''
  expect(why).toContain('AWS Glue and Hive metastores need the extension httpfs')
  expect(await admin.call(schema.testCatalog, DRAFT)).toMatchObject({
    code: CODES.QueryFailed.code,
    message: why,
  })
  expect((await admin.call(schema.addCatalog, DRAFT)).data).toEqual({ notice: why })
  const kept = await app.store.db.selectFrom('external_catalogs').selectAll().execute()
  const audit = await app.store.db.selectFrom('audit_entries').selectAll().execute()
  expect(JSON.stringify([kept, audit])).not.toContain(DRAFT.secretKey)
})

test('AWS Glue is asked with the keys of a registered role, which are renewed before they expire [REAL-03]', async () => {
  let now = new Date()
  const [glue, sts] = [await startGlue(), await startSts(() => now)]
  glue.databases.set('sales', [])
  const app = await startApp({ ...sts.settings, BOATHOUSE_AWS_GLUE_URL: glue.url })
  const admin = await app.admin()
  await admin.call(schema.addCatalog, BY_ROLE)
  const { catalog_id: id } = await app.store.db
    .selectFrom('external_catalogs')
    .select('catalog_id')
    .executeTakeFirstOrThrow()
  const databases = async () => {
    app.clock.advance(10_000)
    now = app.clock.now()
    return (await app.outside.of(app.accountId).tables(id, null, AbortSignal.timeout(60_000))).databases
  }
  await expect(databases()).rejects.toThrow(`the IAM role ${ARN} is not registered in this account`)
  await admin.call(iamRoleCalls.registerIamRole, { roleArn: ARN })
  await expect(databases()).rejects.toThrow('the role does not let this service in; check its trust policy')
  sts.trusts.set(ARN, (await admin.call(iamRoleCalls.iamRoles, {})).data.externalId)
  await expect(databases()).rejects.toThrow('the access key is not known to AWS Glue')
  for (const session of ['ASIA1', 'ASIA2']) glue.keys.set(session, { secretKey: 's', sessionToken: 't' })
  expect(await databases()).toEqual(['sales'])
  expect(sts.sessions).toEqual([`boathouse-${app.accountId}`])

  app.clock.advance(50 * MINUTES)
  expect(await databases()).toEqual(['sales'])
  expect(sts.sessions).toHaveLength(1)
  app.clock.advance(6 * MINUTES)
  glue.keys.delete('ASIA1')
  expect(await databases()).toEqual(['sales'])
  expect(sts.sessions).toHaveLength(2)

  const other = await app.otherAccount()
  await expect(app.outside.of(other.accountId).tables(id, null, AbortSignal.timeout(60_000))).rejects.toThrow(
    'there is no such catalog',
  )
  await admin.call(iamRoleCalls.deleteIamRole, { roleArn: ARN })
  await expect(databases()).rejects.toThrow('is not registered in this account')
  expect(sts.sessions).toHaveLength(2)
})

test('a statement makes a catalog with a role, and none with secrets in its text', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const create = async (more: string, type = 'glue') => {
    const properties = `'type' = '${type}', 's3Region' = 'eu-central-1'${more}`
    return (await channel.run(`CREATE EXTERNAL CATALOG lake PROPERTIES (${properties})`))[0]?.errMsg
  }
  expect(await create(`, 'accessKey' = 'a', 'secretKey' = 'b'`)).toContain('do not belong in SQL text')
  expect(await create(`, 'access' = 'role', 'roleArn' = '${ARN}'`, 'tabular')).toContain(
    'do not belong in SQL text',
  )
  expect(await create(`, 'access' = 'role', 'roleArn' = '${ARN}', 'secretKey' = 'b'`)).toContain(
    `The property 'secretKey' is unknown here`,
  )
  expect(await create(`, 'access' = 'role', 'roleArn' = 'me'`)).toContain('Enter a role ARN')
  const nobody = await (await app.user()).channel()
  const byRole = `CREATE EXTERNAL CATALOG lake PROPERTIES ('type' = 'glue', 's3Region' = 'eu-central-1', 'access' = 'role', 'roleArn' = '${ARN}')`
  expect((await nobody.run(byRole))[0]?.errMsg).toContain('This requires the role db_admin')
  expect((await channel.run(byRole))[0]?.errMsg).toBe('')
  expect((await admin.call(schema.showCreateCatalog, { catalog: 'lake' })).data.createStatement).toContain(
    `'roleArn' = '${ARN}'`,
  )
})
