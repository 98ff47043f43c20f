import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_CLIENTS, runClient, type Said, withCommandLine } from '../../../testing/mysql-clients.ts'
import { asContract, comparable } from '../../../testing/mysql-comparison.ts'
import { CONTRACT, OTHER_CHARSETS, setUpScript } from '../../../testing/mysql-scenario.ts'
import {
  hasMariadb,
  type MysqlEndpoint,
  type MysqlServer,
  startMariadb,
  startMysqlEndpoint,
} from '../../../testing/mysql-servers.ts'
import { DRIVER_LIMITS, GAPS } from './known-differences.ts'

const STEPS = Object.keys(CONTRACT)

describe.skipIf(!hasMariadb)('real clients', { timeout: 240_000 }, () => {
  let mariadb: MysqlServer
  let boathouse: MysqlEndpoint
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
    test.skipIf(!isThere).each(STEPS.filter((step) => !(step in gaps) && step !== 'charsets'))(
      '%s is as with MariaDB [REAL-01]',
      (step) => {
        expect(comparable(step, here.get(step))).toEqual(comparable(step, there.get(step)))
      },
    )
    test.skipIf(!isThere)('no other character set is spoken', () => {
      const said = here.get('charsets') as Readonly<Record<string, { readonly error?: Said }>> | undefined
      const refusals = OTHER_CHARSETS.map((name) => said?.[name]?.error)
      // Some drivers have no number, and PHP no SQLSTATE before it is signed in.
      const isRight = (error: Said | undefined) =>
        (error?.['code'] ?? error?.['state']) === (error?.['code'] ? 1231 : '42000')
      expect(refusals.map(isRight)).toEqual(OTHER_CHARSETS.map(() => true))
    })

    test.skipIf(!isThere)('nothing ran that stood in a text', async () => {
      for (const server of [mariadb, boathouse])
        expect(await withCommandLine(server, ['--batch', '-N', '-e', 'select * from injected'])).toBe('')
      const ran = await boathouse.statementsWith('insert into injected')
      expect(ran.filter((sql) => !/^(?:insert into hostile|select text from hostile) /.test(sql))).toEqual([])
    })

    test.fails.each(isThere ? Object.entries(gaps) : [])('%s is not yet as with MariaDB: %s', (step) => {
      expect(comparable(step, here.get(step))).toEqual(comparable(step, there.get(step)))
    })
  })
})
