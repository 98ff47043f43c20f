import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, schema } from '@boathouse/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createEmbeddedProvider, embeddedIsApart, httpfsFrom } from '../../../testing/embedded-engine.ts'
import { rowsIn } from '../../../testing/load-kit.ts'
import { BUCKET, HTTPFS_WHEEL, MOTO, type S3Server, startS3 } from '../../../testing/outside-kit.ts'
import { filesOfPipe, pipeOf, runPipes } from '../../../testing/pipe-kit.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'

const TEXT = `CREATE PIPE p PROPERTIES ("poll_interval" = "1") AS INSERT INTO t
  SELECT * FROM FILES("path" = "s3://${BUCKET}/lake/in/*.csv", "format" = "csv")`

describe.skipIf(HTTPFS_WHEEL === null || MOTO === null || !embeddedIsApart())('with a real S3 server', () => {
  let s3: S3Server
  let extensions = ''
  beforeAll(async () => {
    extensions = await httpfsFrom(HTTPFS_WHEEL)
    s3 = await startS3()
    await s3.put('lake/in/a.csv', '1,one\n2,two\n')
    await s3.put('lake/other/b.csv', '9,not meant\n')
    await s3.put('secret/c.csv', '9,secret\n')
  }, 120_000)
  afterAll(async () => {
    await s3?.stop()
    await rm(extensions, { recursive: true, force: true })
  })

  async function setUp() {
    const engines = await createEmbeddedProvider()
    const app = await startApp({ BOATHOUSE_CATALOG_ENDPOINTS: s3.endpoint }, { engines })
    onTestFinished(() => engines.close())
    await cp(extensions, join(app.dataDir, 'extensions'), { recursive: true })
    const admin = await app.admin()
    await rowsIn(admin, 'CREATE TABLE t (id BIGINT, name VARCHAR)')
    const draft = {
      name: 'lake',
      description: '',
      metastoreType: 'bucket',
      s3Endpoint: s3.endpoint,
      s3Bucket: BUCKET,
      s3Prefix: 'lake',
      s3Region: 'us-east-1',
      ...s3.account,
    } as const
    const { code, message } = await admin.call(schema.addCatalog, draft)
    expect([code, message]).toEqual([CODES.Ok.code, ''])
    return { app, admin }
  }

  const again = async (app: TestApp) => {
    app.clock.advance(5_000)
    await runPipes({ app })
  }

  test('objects are loaded once each by the keys of the catalog, and none beside its prefix', async () => {
    const { app, admin } = await setUp()
    const channel = await admin.channel()
    const [refused] = await channel.run(TEXT.replace('lake/in', 'secret'))
    expect(refused?.errMsg).toBe(
      `You cannot read files at s3://${BUCKET}/secret/*.csv. You can read files below s3://${BUCKET}/lake/.`,
    )
    await rowsIn(admin, TEXT)
    await runPipes({ app })
    expect(await rowsIn(admin, 'SELECT * FROM t ORDER BY id')).toEqual([
      ['1', 'one'],
      ['2', 'two'],
    ])
    await s3.put('lake/in/renamed.csv', '1,one\n2,two\n')
    await s3.remove('lake/in/a.csv')
    await s3.put('lake/in/new.csv', '3,three\n')
    await again(app)
    await again(app)
    expect(await rowsIn(admin, 'SELECT count(*) FROM t')).toEqual([['3']])
    expect((await filesOfPipe(admin)).map(({ state }) => state).sort()).toEqual([
      'loaded',
      'loaded',
      'skipped',
    ])
    await rowsIn(admin, 'DROP CATALOG lake')
    await again(app)
    expect(await pipeOf(admin)).toMatchObject({
      state: 'suspended',
      reason: expect.stringContaining('No folder or bucket is open to you'),
    })
  })
})
