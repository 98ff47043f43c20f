import { schema } from '@boathouse/contract'
import { describe, expect, test, vi } from 'vitest'
import {
  CLUSTER_WAREHOUSE,
  HAS_CLUSTERS,
  killCoordinator,
  startClusterApp,
  statementsOf,
} from './testing/cluster-kit.ts'

const PATIENTLY = { timeout: 300_000, interval: 100 }
const VIEW = { catalog: 'lake', databaseName: 'main' }
/** By the one lock or the other. */
const REFUSED = /Access Denied|SELECT on/
const FLEET = 'CREATE MATERIALIZED VIEW fleet AS SELECT count(*) AS n FROM boats'

describe.skipIf(!HAS_CLUSTERS)('materialized views of a lake', () => {
  test(
    'are filled, listed, granted, refreshed and dropped as those of the embedded engine',
    { timeout: 900_000 },
    async () => {
      const { app, admin, run } = await startClusterApp()
      const clusters = await statementsOf(admin)
      // The embedded engine does not write there, and a cluster not elsewhere.
      expect(await run('CREATE MATERIALIZED VIEW lake.main.fleet AS SELECT 1 AS a')).toMatch(
        /writes no tables of the catalog lake.+such as fleet/,
      )
      await clusters(`SET WAREHOUSE ${CLUSTER_WAREHOUSE}`)
      expect(await clusters('CREATE MATERIALIZED VIEW default_catalog.main.fleet AS SELECT 1 AS a')).toMatch(
        /writes no tables of the catalog default_catalog.+such as default_warehouse/,
      )

      expect(await clusters('CREATE TABLE boats AS SELECT 1 AS a')).toEqual([])
      expect(await clusters(FLEET)).toEqual([])
      expect(await clusters('SELECT n FROM fleet')).toEqual([['1']])
      await clusters('INSERT INTO boats VALUES (2)')
      expect(await clusters('SELECT n FROM fleet')).toEqual([['1']])
      expect(await clusters('REFRESH MATERIALIZED VIEW fleet WITH SYNC MODE')).toEqual([])
      expect(await clusters('SELECT n FROM fleet')).toEqual([['2']])
      expect(await clusters('DELETE FROM fleet')).toContain('is a materialized view')
      expect((await admin.call(schema.materializedViews, VIEW)).data).toMatchObject({
        list: [{ mvName: 'fleet', lastRefreshState: 'success' }],
      })
      const { data } = await admin.call(schema.describe, { ...VIEW, mvName: 'fleet' })
      expect(data).toMatchObject({ type: 'materialized_view', fixed: '', rows: { count: 1 } })
      expect(data.actions).toEqual(['read', 'refresh', 'alter', 'drop'])

      // Others read it by a grant on it alone, behind both locks.
      const guest = await app.user()
      const asGuest = await statementsOf(guest)
      await run(`GRANT USAGE ON WAREHOUSE ${CLUSTER_WAREHOUSE} TO USER ${guest.name}`)
      await run(`GRANT USAGE ON CATALOG lake TO USER ${guest.name}`)
      await asGuest(`SET WAREHOUSE ${CLUSTER_WAREHOUSE}`)
      expect(await asGuest('SELECT n FROM fleet')).toMatch(REFUSED)
      await clusters(`GRANT SELECT ON MATERIALIZED VIEW fleet TO USER ${guest.name}`)
      for (const job of app.clusterJobs()) await job.run()
      await vi.waitFor(async () => expect(await asGuest('SELECT n FROM fleet')).toEqual([['2']]), PATIENTLY)
      expect(await asGuest('REFRESH MATERIALIZED VIEW fleet')).toMatch(/REFRESH/)
      expect(await asGuest('SELECT * FROM boats')).toMatch(REFUSED)

      expect(await clusters('ALTER MATERIALIZED VIEW fleet RENAME flotilla')).toEqual([])
      expect(await clusters('SELECT n FROM flotilla')).toEqual([['2']])
      await clusters('ALTER MATERIALIZED VIEW flotilla REFRESH AFTER CHANGES')
      await clusters('INSERT INTO boats VALUES (3)')
      await vi.waitFor(async () => {
        app.clock.advance(11_000)
        await app.materialized.runDue()
        await app.materialized.idle()
        expect(await clusters('SELECT n FROM flotilla')).toEqual([['3']])
      }, PATIENTLY)
      expect(await clusters('DROP MATERIALIZED VIEW flotilla')).toEqual([])
      expect(await clusters('SHOW TABLES')).toEqual([['boats']])
      // What is submitted runs there, too.
      await clusters('SUBMIT TASK more AS INSERT INTO boats VALUES (4)')
      await vi.waitFor(
        async () => expect(await clusters('SELECT count(*) FROM boats')).toEqual([['4']]),
        PATIENTLY,
      )
    },
  )

  test(
    'what took effect is reported truly when the coordinator is killed',
    { timeout: 900_000 },
    async () => {
      const { app, admin } = await startClusterApp()
      const clusters = await statementsOf(admin)
      await clusters(`SET WAREHOUSE ${CLUSTER_WAREHOUSE}`)
      await clusters('CREATE TABLE boats AS SELECT 1 AS a')
      await clusters(FLEET)
      // So slow that it is killed before it has written anything.
      const slow =
        'SELECT count(*) AS n FROM tpch.sf1000.lineitem a JOIN tpch.sf1000.orders b ON a.orderkey = b.orderkey'
      const [inserting, creating] = [await statementsOf(admin), await statementsOf(admin)]
      for (const other of [inserting, creating]) await other(`SET WAREHOUSE ${CLUSTER_WAREHOUSE}`)
      const ended = Promise.all([
        inserting(`INSERT INTO boats ${slow}`),
        creating(`CREATE MATERIALIZED VIEW slow AS ${slow}`),
      ])
      const noted = async () => {
        const { rows } = await app.store.pool.query<{ name: string }>('select name from lake_writes')
        return rows.map(({ name }) => name).toSorted()
      }
      await vi.waitFor(
        async () => expect(await noted()).toEqual(['boats', 'boats', 'fleet', 'slow']),
        PATIENTLY,
      )
      await killCoordinator(app)
      for (const message of await ended) expect(message).toContain('did not take effect')
      const own = await statementsOf(admin)
      expect(await own('SHOW TABLES FROM lake.main')).toEqual([['boats'], ['fleet']])
      expect((await admin.call(schema.materializedViews, VIEW)).data.total).toBe(1)
      // The next statement starts it again.
      expect(await clusters('SELECT count(*) FROM boats')).toEqual([['1']])
      expect(await clusters('REFRESH MATERIALIZED VIEW fleet WITH SYNC MODE')).toEqual([])
    },
  )
})
