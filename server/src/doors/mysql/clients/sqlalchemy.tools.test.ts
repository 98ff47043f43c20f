import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CLIENTS, environmentOf, hasSqlalchemy, withCommandLine } from '../../../testing/mysql-clients.ts'
import { setUpScript } from '../../../testing/mysql-scenario.ts'
import {
  hasMariadb,
  type MysqlServer,
  startMariadb,
  startMysqlEndpoint,
} from '../../../testing/mysql-servers.ts'
import expectedFailures from './sqlalchemy/expected-failures.json' with { type: 'json' }

const run = promisify(execFile)
const SUITE = join(CLIENTS, 'sqlalchemy')
const WITHIN_MS = 540_000

const urlOf = (driver: string, { host, port, user, password, database }: MysqlServer): string =>
  `${driver}://${user}:${password}@${host}:${port}/${database}`

const DRIVERS = ['mysql+pymysql', 'mysql+mysqldb', 'mysql+mysqlconnector'] as const
type Driver = (typeof DRIVERS)[number]

/** Of the suite alone, which lists what is in a database, and looks into a second one. */
const SUITE_DATABASES = ['suite', 'test_schema']
const SUITE_OPTIONS: Partial<Record<Driver, string>> = { 'mysql+mysqldb': '?binary_prefix=true' }

/** Of every driver, and of one alone. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = expectedFailures
const knownOf = (driver: Driver): ReadonlySet<string> =>
  new Set(['every driver', driver].flatMap((whose) => Object.values(KNOWN[whose] ?? {}).flat()))

async function introspected(driver: string, server: MysqlServer): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await run('python3', [join(SUITE, 'introspect.py'), urlOf(driver, server)], {
    env: environmentOf(server),
    timeout: WITHIN_MS,
  })
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>
}

/** MariaDB alone writes widths of integers; Boathouse keeps no lengths of texts, and has one type for bytes. */
const comparable = (said: unknown): unknown =>
  JSON.parse(
    JSON.stringify(said)
      .replaceAll(/\b(BIGINT|INTEGER|SMALLINT|TINYINT|VARCHAR)\(\d+\)/g, '$1')
      .replaceAll(/ COLLATE \\"\w+\\"/g, '')
      .replaceAll('LONGBLOB', 'BLOB'),
  )

/** Its types are those of StarRocks. */
const namesOf = (columns: unknown): readonly unknown[] =>
  (columns as readonly (readonly unknown[])[]).map(([name, , isNullable]) => [name, isNullable])

interface Outcomes {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
}

const CASE =
  /<testcase classname="test_suite\.(\w+?)_[^"]*" name="([^"]*)"[^>]*?(?:\/>|>([^]*?)<\/testcase>)/g
/** Parameters of a test are named by their place, and by versions of the server. */
const plain = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<')

function outcomesIn(report: string): Outcomes {
  const passed: string[] = []
  const failed: string[] = []
  for (const [, group, name, inside = ''] of report.matchAll(CASE)) {
    if (inside.includes('<skipped')) continue
    const isFailed = inside.includes('<failure') || inside.includes('<error')
    ;(isFailed ? failed : passed).push(plain(`${group}.${name}`))
  }
  return { passed, failed }
}

/** SQLAlchemy's own suite for dialects, in a copy of its folder: it writes beside itself. */
async function runSuite(driver: Driver, server: MysqlServer): Promise<Outcomes> {
  for (const name of SUITE_DATABASES)
    await withCommandLine(server, [], `create database if not exists ${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-sqlalchemy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(SUITE, folder, { recursive: true })
  const url = `${urlOf(driver, { ...server, database: 'default_catalog.suite' })}${SUITE_OPTIONS[driver] ?? ''}`
  const args = ['-m', 'pytest', '-c', 'setup.cfg', '--dburi', url, '--junitxml=report.xml']
  const env = environmentOf(server)
  const options = { cwd: folder, timeout: WITHIN_MS, maxBuffer: 2 ** 26, env }
  await run('python3', args, { ...options, env: { ...env, PYTHONPATH: `${env.PYTHONPATH}:.` } }).catch(
    () => undefined,
  )
  return outcomesIn(await readFile(join(folder, 'report.xml'), 'utf8'))
}

describe.skipIf(!hasMariadb || !hasSqlalchemy)('SQLAlchemy', { timeout: WITHIN_MS }, () => {
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

  test.each(DRIVERS)('%s looks at tables and works with them as with MariaDB [REAL-01]', async (driver) => {
    const right = await introspected(driver, mariadb)
    expect(comparable(await introspected(driver, boathouse))).toEqual(comparable(right))
  })

  test('the dialect of StarRocks lists tables, looks at their columns and keys, and reads them', async () => {
    const { tables, rows, count, keys, columns } = await introspected('starrocks', boathouse)
    const right = await introspected('mysql+mysqldb', mariadb)
    const { rows: theirs, count: all } = right
    expect({ tables, rows, count, keys }).toEqual({
      tables: right.tables,
      rows: theirs,
      count: all,
      keys: right.keys,
    })
    expect(namesOf(columns)).toEqual(namesOf(right.columns))
  })

  // It takes minutes: BOATHOUSE_TEST_SQLALCHEMY_SUITE=1 runs it.
  const isAsked = process.env['BOATHOUSE_TEST_SQLALCHEMY_SUITE'] === '1'
  test.each(isAsked ? DRIVERS : [])(
    '%s passes the suite for dialects but for what is listed',
    async (driver) => {
      const { passed, failed } = await runSuite(driver, boathouse)
      const known = knownOf(driver)
      expect({ unlisted: failed.filter((name) => !known.has(name)) }).toEqual({ unlisted: [] })
      expect({ listed: passed.filter((name) => known.has(name)) }).toEqual({ listed: [] })
      expect(passed.length).toBeGreaterThan(300)
    },
  )
})
