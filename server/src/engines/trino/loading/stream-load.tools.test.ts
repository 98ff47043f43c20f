import { describe, expect, test, vi } from 'vitest'
import {
  CLUSTER_WAREHOUSE,
  HAS_CLUSTERS,
  killCoordinator,
  startClusterApp,
  statementsOf,
} from '../../../testing/cluster-kit.ts'
import { basic, streamed } from '../../../testing/stream-kit.ts'

const PATIENTLY = { timeout: 300_000, interval: 200 }

describe.skipIf(!HAS_CLUSTERS)('a stream load into the lake of a cluster', { timeout: 900_000 }, () => {
  test('is loaded once, with true numbers, whatever ends meanwhile', async () => {
    const { app, run } = await startClusterApp()
    const grace = await app.user()
    const load = async (label: string, body: string, headers: Record<string, string> = {}) => {
      const all = { warehouse: CLUSTER_WAREHOUSE, column_separator: ',', label, ...headers }
      return (await streamed(app, body, { path: '/api/lake/main/boats/_stream_load', headers: all })).body
    }
    await run(`SET WAREHOUSE ${CLUSTER_WAREHOUSE}`)
    const create = `CREATE TABLE lake.main.boats (id BIGINT NOT NULL, name VARCHAR, length DECIMAL(6,2),
      built DATE, seen TIMESTAMP(6), sent TIMESTAMP(6) WITH TIME ZONE, mark VARBINARY, fast BOOLEAN)`
    expect(await run(create)).toEqual([])

    // Who may not insert does not, by any way.
    const authorization = basic(app, grace.name)
    expect(await load('l0', '1', { authorization })).toMatchObject({ Status: 'Fail' })
    expect(await load('l0', '1', { warehouse: 'default_warehouse' })).toMatchObject({
      Status: 'Fail',
      Message: expect.stringContaining('in a warehouse that is a cluster'),
    })

    const rows = [
      '9007199254740993,Ada,12.50,2020-01-02,2026-01-02 03:04:05.123456,2026-01-02 03:04:05+02,ab,true',
      "2,O'Brien,,,,,,",
      'x,broken,,,,,,',
    ]
    const answer = await load('l1', `${rows.join('\n')}\n`, { max_filter_ratio: '0.5' })
    expect(answer).toMatchObject({
      Status: 'Success',
      NumberTotalRows: 3,
      NumberLoadedRows: 2,
      NumberFilteredRows: 1,
    })
    expect(await run('SELECT * FROM lake.main.boats ORDER BY id')).toMatchObject([
      ['2', "O'Brien", null, null, null, null, expect.anything(), null],
      [
        '9007199254740993',
        'Ada',
        '12.50',
        '2020-01-02',
        expect.stringMatching(/^2026-01-02 03:04:05.123456/),
        expect.stringContaining('2026-01-02 01:04:05'),
        'ab',
        'true',
      ],
    ])
    expect(await load('l1', '5,again,,,,,,\n')).toMatchObject({ Status: 'Label Already Exists' })
    expect(await load('l2', 'x,broken,,,,,,\n')).toMatchObject({ Status: 'Fail', NumberLoadedRows: 0 })
    const json = JSON.stringify([{ id: 3, name: 'Cid' }, { id: 4 }])
    expect(await load('l3', json, { format: 'json', strip_outer_array: 'true' })).toMatchObject({
      Status: 'Success',
      NumberLoadedRows: 2,
    })
    const large = `1,${'x'.repeat(1_100_000)},,,,,,\n`
    expect(await load('l4', large)).toMatchObject({
      Status: 'Fail',
      Message: expect.stringContaining('too large for a cluster'),
    })
    expect(await run('SELECT count(*) FROM lake.main.boats')).toEqual([['4']])

    // The coordinator ends while loads run: each of them took effect or did not, and its answer or its label says so.
    const loads = Array.from({ length: 6 }, (_, at) => load(`k${at}`, `${100 + at},kill,,,,,,\n`))
    await killCoordinator(app)
    const answers = await Promise.all(loads)
    await vi.waitFor(async () => {
      await app.loads.streams.settleLeft()
      expect(await run("SELECT count(*) FROM lake.main.boats WHERE name <> 'kill' OR name IS NULL")).toEqual([
        ['4'],
      ])
    }, PATIENTLY)
    for (const [at, { Status }] of answers.entries()) {
      const again = await load(`k${at}`, `${100 + at},kill,,,,,,\n`)
      expect(again.Status).toBe(Status === 'Success' ? 'Label Already Exists' : again.Status)
      expect(['Success', 'Label Already Exists']).toContain(again.Status)
    }
    const once = "SELECT count(*), count(DISTINCT id) FROM lake.main.boats WHERE name = 'kill'"
    expect(await run(once)).toEqual([['6', '6']])
    const reader = await statementsOf(grace)
    expect(await reader('SELECT * FROM lake.main.boats')).toEqual(expect.any(String))
  })
})
