import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { schema } from '@boathouse/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CLUSTER_WAREHOUSE, HAS_CLUSTERS, startClusterApp, statementsOf } from './testing/cluster-kit.ts'
import { httpfsFrom } from './testing/embedded-engine.ts'
import { CLIENT, PYICEBERG } from './testing/iceberg-kit.ts'
import {
  JAVA,
  makeTablesIn,
  NESSIE,
  type Nessie,
  startNessie,
  startTokenIssuer,
  type TokenIssuer,
} from './testing/nessie-kit.ts'
import { BUCKET, HTTPFS_WHEEL, MOTO, type S3Server, startS3 } from './testing/outside-kit.ts'

const isMissing = [HTTPFS_WHEEL, MOTO, PYICEBERG, JAVA, NESSIE].includes(null) || !HAS_CLUSTERS

/** The texts of all files of its clusters: configurations and logs. */
async function filesBelow(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join()
}

describe.skipIf(isMissing)('catalogs over data elsewhere in a cluster', () => {
  let s3: S3Server
  let issuer: TokenIssuer
  let nessie: Nessie
  let extensions = ''
  beforeAll(async () => {
    extensions = await httpfsFrom(HTTPFS_WHEEL)
    s3 = await startS3()
    issuer = await startTokenIssuer()
    nessie = await startNessie(s3, issuer)
    await makeTablesIn(nessie, issuer, s3)
  }, 600_000)
  afterAll(async () => {
    await nessie?.stop()
    await issuer?.stop()
    await s3?.stop()
    await rm(extensions, { recursive: true, force: true })
  })

  test(
    'defined once, an Iceberg REST catalog has the same rows and the same rights in both engines',
    { timeout: 900_000 },
    async () => {
      const open = [s3.endpoint, ...[nessie.url, issuer.url].map((url) => new URL(url).origin)].join(',')
      const draft = {
        name: 'Shop',
        description: '',
        metastoreType: 'tabular',
        access: 'key',
        s3Region: 'us-east-1',
        s3Endpoint: s3.endpoint,
        tabularUrl: nessie.url,
        tabularWarehouse: BUCKET,
        oauthCredential: CLIENT,
        oauthUrl: issuer.url,
        ...s3.account,
      } as const
      const { app, admin, run } = await startClusterApp(
        { BOATHOUSE_CATALOG_ENDPOINTS: open },
        async (made, administrator) => {
          await cp(extensions, join(made.dataDir, 'extensions'), { recursive: true })
          expect((await administrator.call(schema.addCatalog, draft)).data).toEqual({ notice: '' })
        },
      )
      const [own, clustered] = [run, await statementsOf(admin)]
      await clustered(`SET WAREHOUSE ${CLUSTER_WAREHOUSE}`)
      // Its processes know keys from their start on. What has none of its own comes and goes while they run.
      expect(await clustered('SELECT 1')).toEqual([['1']])
      const late = { ...draft, name: 'late' }
      const { notice } = (await admin.call(schema.addCatalog, late)).data
      expect(notice).toContain('created after the warehouse was started')
      expect(await clustered('SELECT count(*) FROM late.shop.visits')).toBe(notice)
      const alike = [
        'SELECT count(*), sum(price) FROM shop.shop.orders',
        `SELECT name, count(*), sum(price) FROM shop.shop.orders o
          JOIN shop.shop.customers c ON c.id = o.customer GROUP BY name ORDER BY name`,
        "SELECT id, note FROM shop.shop.orders WHERE ordered_at >= TIMESTAMP '2026-01-02' AND price > 100 ORDER BY id",
        'SELECT town, n FROM shop.shop.visits ORDER BY n',
        'SELECT n FROM shop.shop.thinned ORDER BY n',
        'SELECT * FROM shop."shop.archive".empty',
      ]
      for (const sql of alike) expect([sql, await clustered(sql)]).toEqual([sql, await own(sql)])
      expect(await clustered('USE shop.shop')).toEqual([])
      expect(await clustered('SELECT count(*) FROM visits')).toEqual([['3']])

      // Nobody writes there.
      for (const sql of [
        'CREATE TABLE shop.shop.mine AS SELECT 1 AS a',
        'INSERT INTO shop.shop.visits SELECT * FROM shop.shop.visits',
        'DROP TABLE shop.shop.visits',
        'CREATE SCHEMA shop.mine',
      ])
        expect([sql, await clustered(sql)]).toEqual([sql, expect.stringMatching(/Access Denied|read-only/)])

      // The same privileges open it in both.
      const guest = await app.user()
      await run(`GRANT USAGE ON WAREHOUSE ${CLUSTER_WAREHOUSE} TO USER ${guest.name}`)
      const [guestOwn, guestClustered] = [await statementsOf(guest), await statementsOf(guest)]
      expect(await guestClustered(`SET WAREHOUSE ${CLUSTER_WAREHOUSE}`)).toEqual([])
      const select = 'SELECT count(*) FROM shop.shop.visits'
      const renew = async () =>
        app
          .clusterJobs()
          .find(({ name }) => name === 'tell clusters of grants')
          ?.run()
      const refused = /Access Denied|USAGE on CATALOG|SELECT on TABLE/
      for (const ask of [guestOwn, guestClustered]) expect(await ask(select)).toMatch(refused)
      await run(`GRANT USAGE ON CATALOG "Shop" TO USER ${guest.name}`)
      await renew()
      for (const ask of [guestOwn, guestClustered]) expect(await ask(select)).toMatch(refused)
      await run(`GRANT SELECT ON TABLE "Shop".shop.visits TO USER ${guest.name}`)
      await renew()
      for (const ask of [guestOwn, guestClustered])
        await vi.waitFor(async () => expect(await ask(select)).toEqual([['3']]))
      expect(await guestClustered('SELECT count(*) FROM shop.shop.orders')).toMatch(refused)

      // What is secret of it is in no file, and in no environment.
      const running = join(app.dataDir, 'clusters', 'running')
      const texts = await filesBelow(running)
      expect(texts).toContain('BOATHOUSE_RELAY_TOKEN')
      const { relayToken } = JSON.parse(
        await readFile(join(running, (await readdir(running))[0] ?? '', 'secrets.json'), 'utf8'),
      ) as { relayToken: string }
      const logs = await filesBelow(join(running, (await readdir(running))[0] ?? '', 'nodes'))
      const secrets = { key: s3.account.secretKey, credential: CLIENT.split(':')[1] ?? '?', relayToken }
      const found = Object.entries(secrets).filter(([, secret]) => logs.includes(secret))
      expect(found.map(([name]) => name)).toEqual([])

      // Its server is away for a while.
      await nessie.kill()
      expect(await clustered(alike[0] ?? '')).toMatch(/^[A-Z][^\n]*(?:No server answers there|load table)/)
      await nessie.start()
      await vi.waitFor(async () => expect(await clustered(alike[0] ?? '')).toEqual(await own(alike[0] ?? '')))

      // It is gone in both, and one that a cluster cannot have says why.
      expect((await admin.call(schema.dropCatalog, { catalog: 'Shop' })).message).toBe('')
      // The session was in it.
      expect(await clustered(alike[1] ?? '')).toContain('The catalog Shop no longer exists')
      expect(await clustered(alike[1] ?? '')).toContain("Catalog 'shop'")
      const elsewhere = { ...draft, name: 'far', s3Endpoint: 'https://storage.example.com' }
      const told = (await admin.call(schema.addCatalog, elsewhere)).data.notice
      expect(told).toContain('add https://storage.example.com to BOATHOUSE_CATALOG_ENDPOINTS')
      expect(await clustered('SELECT * FROM far.shop.visits')).toBe(told)
    },
  )
})
