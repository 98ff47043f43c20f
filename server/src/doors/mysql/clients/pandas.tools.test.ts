import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENTS, environmentOf } from '../../../testing/mysql-clients.ts'
import {
  hasMariadb,
  type MysqlServer,
  startMariadb,
  startMysqlEndpoint,
} from '../../../testing/mysql-servers.ts'
import { found } from '../../../testing/outside-kit.ts'

const run = promisify(execFile)
const WITHIN_MS = 240_000
const FRAMES = found('BOATHOUSE_TEST_CLIENT_FRAMES', /^python-frames-[\da-f]{12}$/)
const PYTHON = found('BOATHOUSE_TEST_CLIENT_PYTHON', /^mysql-python-[\da-f]{12}$/)

/** What pandas wrote and read, step by step. */
async function framesOf(server: MysqlServer): Promise<ReadonlyMap<string, unknown>> {
  const { host, port, user, password, database } = server
  const uri = `mysql+pymysql://${user}:${password}@${host}:${port}/${database}?charset=utf8mb4`
  const known = environmentOf(server)
  const env = { ...known, PYTHONPATH: [known['PYTHONPATH'], FRAMES].join(delimiter) }
  const program = join(CLIENTS, 'pandas', 'frames.py')
  const { stdout } = await run('python3', [program, uri], { env, timeout: WITHIN_MS, maxBuffer: 2 ** 26 })
  return new Map(
    stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => {
        const { step, value } = JSON.parse(line) as { readonly step: string; readonly value: unknown }
        return [step, value]
      }),
  )
}

describe.skipIf(!hasMariadb || !FRAMES || !PYTHON)('pandas', { timeout: WITHIN_MS }, () => {
  let mariadb: MysqlServer
  let boathouse: MysqlServer
  beforeAll(async () => {
    mariadb = await startMariadb()
    boathouse = await startMysqlEndpoint()
  }, WITHIN_MS)
  afterAll(async () => {
    await mariadb?.stop()
    await boathouse?.stop()
  })

  test('to_sql, read_sql, read_sql_table and parts do as with MariaDB [REAL-01]', async () => {
    const right = await framesOf(mariadb)
    const here = await framesOf(boathouse)
    expect([...right.keys()]).toContain('moment')
    expect(Object.fromEntries(here)).toEqual(Object.fromEntries(right))
  })
})
