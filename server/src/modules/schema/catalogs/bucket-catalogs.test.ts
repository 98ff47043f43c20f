import { CODES, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { BUCKET } from '../../../testing/outside-kit.ts'
import { startApp } from '../../../testing/start-app.ts'

const DRAFT = {
  name: 'lake',
  description: '',
  metastoreType: 'bucket',
  s3Endpoint: 'https://storage.example.com',
  s3Bucket: BUCKET,
  s3Prefix: 'lake',
  s3Region: 'us-east-1',
  accessKey: 'AKIAEXAMPLE',
  secretKey: 'very-secret-key',
} as const

test('nobody but a database administrator makes or tries catalogs over buckets', async () => {
  const app = await startApp()
  const nobody = await app.user()
  const refused = { code: CODES.NoPermission.code }
  expect(await nobody.call(schema.addCatalog, DRAFT)).toMatchObject(refused)
  expect(await nobody.call(schema.testCatalog, DRAFT)).toMatchObject(refused)
})

test('no address with a path, a user or a question in it, no way up and no strange bucket is taken', async () => {
  const admin = await (await startApp()).admin()
  for (const wrong of [
    { s3Endpoint: 'storage.example.com' },
    { s3Endpoint: 'https://storage.example.com/path' },
    { s3Endpoint: 'https://user:password@storage.example.com' },
    { s3Endpoint: 'https://storage.example.com?x=1' },
    { s3Endpoint: 'https://storage.example.com#x' },
    { s3Endpoint: 'file:///etc/passwd' },
    { s3Endpoint: 'https://a b' },
    { s3Bucket: '' },
    { s3Bucket: 'ab' },
    { s3Bucket: 'Harbour' },
    { s3Bucket: 'harbour/other' },
    { s3Bucket: '..' },
    { s3Bucket: 'a..b' },
    { s3Prefix: '..' },
    { s3Prefix: 'lake/../other' },
    { s3Prefix: '/lake' },
    { s3Prefix: 'lake/' },
    { s3Prefix: 'lake//sales' },
    { s3Prefix: 'lake/./sales' },
    { s3Prefix: 'lake\\sales' },
    { s3Prefix: 'lake\nsales' },
    { s3Region: '' },
    { accessKey: '' },
    { secretKey: '' },
  ])
    for (const call of [schema.addCatalog, schema.testCatalog] as const)
      expect([wrong, await admin.call(call, { ...DRAFT, ...wrong })]).toMatchObject([
        wrong,
        { code: CODES.BadInput.code },
      ])
})

test('an engine that cannot reads none, says what is missing, and nothing is kept', async () => {
  const admin = await (await startApp({}, { engine: 'embedded' })).admin()
  const { readable, unreadable } = (await admin.call(schema.catalogOptions, {})).data
  expect(readable).toEqual(['folder'])
  const why = unreadable.find(({ metastoreType }) => metastoreType === 'bucket')?.why ?? ''
  expect(why).toContain('npx boathouse extensions')
  expect(unreadable.find(({ metastoreType }) => metastoreType === 'hive')?.why).toBe(why)
  for (const call of [schema.addCatalog, schema.testCatalog] as const)
    expect(await admin.call(call, DRAFT)).toMatchObject({ code: CODES.QueryFailed.code, message: why })
  expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
})
