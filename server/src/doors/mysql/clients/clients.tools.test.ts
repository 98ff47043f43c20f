import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_CLIENTS, runClient, type Said, withCommandLine } from '../../../testing/mysql-clients.ts'
import { asContract, comparable } from '../../../testing/mysql-comparison.ts'
import { CONTRACT, setUpScript } from '../../../testing/mysql-scenario.ts'
import {
  hasMariadb,
  type MysqlServer,
  startMariadb,
  startMysqlEndpoint,
} from '../../../testing/mysql-servers.ts'
import { DRIVER_LIMITS, GAPS } from './known-differences.ts'

const STEPS = Object.keys(CONTRACT)

describe.skipIf(!hasMariadb)('real clients', { timeout: 240_000 }, () => {
  let mariadb: MysqlServer
  let boathouse: MysqlServer
  beforeAll(async () => {
    mariadb = await startMariadb()
    boathouse = await startMysqlEndpoint()
    for (const server of [mariadb, boathouse]) await withCommandLine(server, [], setUpScript())
  }, 300_000)
  afterAll(async () => {
    await mariadb?.stop()
    await boathouse?.stop()
  })

  describe.each(ALL_CLIENTS)('$name', ({ name, isThere, command }) => {
    let there: ReadonlyMap<string, Said> = new Map()
    let here: ReadonlyMap<string, Said> = new Map()
    beforeAll(async () => {
      if (!isThere) return
      const client = { name, isThere, command }
      there = await runClient(client, mariadb)
      here = await runClient(client, boathouse)
    }, 330_000)

    test.skipIf(!isThere)('does with MariaDB what the contract says', () => {
      const limits = DRIVER_LIMITS[name] ?? {}
      const said = STEPS.filter((step) => !(step in limits)).map((step) => ({
        step,
        ...asContract(step, there.get(step), CONTRACT[step] ?? {}),
      }))
      expect(said).toEqual(
        STEPS.filter((step) => !(step in limits)).map((step) => ({ step, ...CONTRACT[step] })),
      )
    })

    const gaps = { ...GAPS.all, ...GAPS[name] }
    test.skipIf(!isThere).each(STEPS.filter((step) => !(step in gaps)))(
      '%s is as with MariaDB [REAL-01]',
      (step) => {
        expect(comparable(step, here.get(step))).toEqual(comparable(step, there.get(step)))
      },
    )
    test.fails.each(isThere ? Object.entries(gaps) : [])('%s is not yet as with MariaDB: %s', (step) => {
      expect(comparable(step, here.get(step))).toEqual(comparable(step, there.get(step)))
    })
  })
})
