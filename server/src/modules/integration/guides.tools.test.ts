import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  environmentWith,
  filledBlocks,
  type GuideBlock,
  type GuideServer,
  newFolder,
  runGuide,
  startGuideServer,
  type Tools,
} from '../../testing/guide-kit.ts'
import { odbcDriver } from '../../testing/mysql-clients.ts'
import { findProgram } from '../../testing/mysql-servers.ts'
import { found } from '../../testing/outside-kit.ts'

const run = promisify(execFile)
const WITHIN_MS = 300_000

const folderOf = (name: string, folder: RegExp): string =>
  found(`BOATHOUSE_TEST_CLIENT_${name}`, folder) ?? ''
const PYTHON = folderOf('PYTHON', /^mysql-python-[\da-f]{12}$/)
const MYSQLCLIENT = folderOf('MYSQLCLIENT', /^mysqlclient-[\da-f]{12}$/)
const PYODBC = folderOf('PYODBC', /^pyodbc-[\da-f]{12}$/)
const FRAMES = folderOf('FRAMES', /^python-frames-[\da-f]{12}$/)
const DBT = folderOf('DBT', /^dbt-[\da-f]{12}$/)
const JAVA = folderOf('JAVA', /^mysql-java-[\da-f]{12}-[\da-f]{12}$/)
const MARIADB_2 = folderOf('MARIADB_2', /^mariadb-2-[\da-f]{12}$/)

const jarIn = (folder: string, name: string): string => {
  const jar = folder === '' ? undefined : readdirSync(folder).find((file) => file.startsWith(name))
  return jar === undefined ? '' : join(folder, jar)
}
const CONNECTOR_J = jarIn(JAVA, 'mysql-connector-j')
const OLD_MARIADB = jarIn(MARIADB_2, 'mariadb-java-client')

interface Runnable {
  readonly name: string
  readonly isThere: boolean
  readonly tools?: Tools
}

const has = (program: string): boolean => findProgram(program) !== null

const RUN: readonly Runnable[] = [
  { name: 'curl', isThere: has('curl') },
  { name: 'streaming-api', isThere: has('curl') },
  { name: 'node', isThere: true },
  { name: 'mcp', isThere: has('curl') },
  { name: 'go', isThere: has('go') || environmentHasGo() },
  { name: 'python', isThere: Boolean(PYTHON && FRAMES), tools: { python: [PYTHON, FRAMES] } },
  { name: 'jdbc', isThere: has('java') && CONNECTOR_J !== '', tools: { files: [CONNECTOR_J] } },
  { name: 'odbc', isThere: has('isql') && odbcDriver() !== null },
  { name: 'dbt', isThere: DBT !== '', tools: { python: [DBT], programs: [join(DBT, 'bin')] } },
]

function environmentHasGo(): boolean {
  try {
    return readdirSync('/usr/local/go/bin').includes('go')
  } catch {
    return false
  }
}

/** One block of a guide, by what is said behind its language. */
async function blockOf(guide: string, label: string, server: GuideServer): Promise<string> {
  const block = (await filledBlocks(guide, server)).find((one: GuideBlock) => one.label === label)
  if (!block) throw new Error(`${guide} has no block ${label}.`)
  return block.text.trim()
}

/** Lines such as `Host: 127.0.0.1`. */
const settingsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\n').map((line): [string, string] => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    }),
  )

async function python(program: string, args: readonly string[], tools: Tools): Promise<string> {
  const options = { cwd: await newFolder(), env: environmentWith(tools), timeout: WITHIN_MS }
  return (await run('python3', ['-c', program, ...args], options)).stdout.trim()
}

const BY_URI = `
import sys
from sqlalchemy import create_engine, inspect, text
engine = create_engine(sys.argv[1])
with engine.connect() as connection:
    connection.execute(text("CREATE TABLE IF NOT EXISTS uri_boats (id BIGINT, name VARCHAR(20))"))
    print(connection.execute(text("SELECT 6 * 7")).scalar_one())
names = inspect(engine).get_table_names()
assert "uri_boats" in names, names
assert [column["name"] for column in inspect(engine).get_columns("uri_boats")] == ["id", "name"]
`

const BY_JDBC = `
import java.sql.DriverManager;
class Try {
  public static void main(String[] given) throws Exception {
    try (var connection = DriverManager.getConnection(given[0], given[1], System.getenv("MYSQL_PASSWORD"));
        var rows = connection.createStatement().executeQuery("SELECT 6 * 7")) {
      rows.next();
      System.out.println(rows.getInt(1) + " by " + connection.getMetaData().getDriverName());
      connection.getMetaData().getTables(connection.getCatalog(), null, "%", null).next();
    }
  }
}
`

async function byJdbc(jar: string, url: string, { user, password }: GuideServer): Promise<string> {
  const cwd = await newFolder()
  await writeFile(join(cwd, 'Try.java'), BY_JDBC)
  const env = { ...process.env, MYSQL_PASSWORD: password }
  return (
    await run('java', ['-cp', jar, 'Try.java', url, user], { cwd, env, timeout: WITHIN_MS })
  ).stdout.trim()
}

/** As Redash connects, and as the hook of Airflow does; then the list of tables of Redash. */
const BY_MYSQLCLIENT = `
import json, sys
import MySQLdb
connection = MySQLdb.connect(charset="utf8mb4", use_unicode=True, connect_timeout=60, autocommit=True, **json.loads(sys.argv[1]))
cursor = connection.cursor()
cursor.execute("SELECT 6 * 7")
print(cursor.fetchall()[0][0])
cursor.execute("SELECT col.table_schema, col.table_name, col.column_name, col.data_type, col.column_comment FROM information_schema.columns col WHERE LOWER(col.table_schema) NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')")
cursor.fetchall()
`

const BY_PYMYSQL = `
import json, ssl, sys
import pymysql
tls = ssl.create_default_context()
tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
cursor = pymysql.connect(ssl=tls, **json.loads(sys.argv[1])).cursor()
cursor.execute(sys.argv[2])
print(cursor.fetchall()[0][0])
`

const BY_PYODBC = `
import sys
import pyodbc
cursor = pyodbc.connect(sys.argv[1]).cursor()
print(cursor.execute("SELECT 6 * 7").fetchone()[0])
`

describe('the guides', { timeout: WITHIN_MS }, () => {
  let server: GuideServer
  beforeAll(async () => {
    server = await startGuideServer()
  }, WITHIN_MS)
  afterAll(() => server?.stop())

  for (const { name, isThere, tools = {} } of RUN)
    test.skipIf(!isThere)(`every command of ${name} runs, and says what the guide expects`, async () => {
      const steps = await runGuide(name, server, tools)
      const expected = steps.flatMap((step) => step.expected)
      expect(expected.length).toBeGreaterThan(0)
      for (const step of steps)
        for (const line of step.expected) expect(step.said.replaceAll(/": ?/g, '": ')).toContain(line)
    })

  test.skipIf(PYTHON === '').each(['superset', 'querybook'])('the URI of %s connects', async (guide) => {
    const uri = await blockOf(guide, 'sqlalchemy', server)
    const filled = uri.replace('PASSWORD', encodeURIComponent(server.password))
    expect(await python(BY_URI, [filled], { python: [PYTHON] })).toBe('42')
  })

  test.skipIf(!has('java') || CONNECTOR_J === '').each(['tableau-desktop', 'jdbc'])(
    'the URL of %s connects with Connector/J',
    async (guide) => {
      const url = await blockOf(guide, 'jdbc', server)
      expect(await byJdbc(CONNECTOR_J, url, server)).toBe('42 by MySQL Connector/J')
    },
  )

  test.skipIf(!has('java') || OLD_MARIADB === '')(
    'the values of Metabase connect with its driver',
    async () => {
      const values = settingsOf(await blockOf('metabase', 'settings', server))
      const options = await blockOf('metabase', 'jdbc-options', server)
      const url = `jdbc:mysql://${values.get('Host')}:${values.get('Port')}/${values.get('Database')}?${options}`
      expect(values.get('Username')).toBe(server.user)
      expect(await byJdbc(OLD_MARIADB, url, server)).toContain('42 by MariaDB')
    },
  )

  test.skipIf(MYSQLCLIENT === '')('the values of Redash connect with its driver', async () => {
    const values = settingsOf(await blockOf('redash', 'settings', server))
    const given = {
      host: values.get('Host'),
      port: Number(values.get('Port')),
      user: values.get('User'),
      passwd: server.password,
      db: values.get('Database name'),
      // With ‘Use SSL’ and no paths, Redash hands over its default mode in this form.
      ssl: { preferred: 'preferred' },
    }
    expect(await python(BY_MYSQLCLIENT, [JSON.stringify(given)], { python: [MYSQLCLIENT] })).toBe('42')
  })

  test.skipIf(MYSQLCLIENT === '')('the connection of Airflow connects with its driver', async () => {
    const connection = JSON.parse(await blockOf('airflow', 'connection.json', server)) as {
      readonly host: string
      readonly port: number
      readonly login: string
      readonly schema: string
      readonly extra: { readonly ssl_mode: string }
    }
    const { host, port, login: user, schema: db, extra } = connection
    const given = { host, port, user, passwd: server.password, db, ...extra }
    expect(await python(BY_MYSQLCLIENT, [JSON.stringify(given)], { python: [MYSQLCLIENT] })).toBe('42')
    const dag = await blockOf('airflow', 'dag.py', server)
    await python('import ast, sys; ast.parse(sys.argv[1])', [dag], {})
  })

  test.skipIf(PYTHON === '')('the values of Hex connect, and its statement runs', async () => {
    const values = settingsOf(await blockOf('hex', 'settings', server))
    const statement = (await filledBlocks('hex', server)).find(({ language }) => language === 'sql')
    const given = {
      host: values.get('Host'),
      port: Number(values.get('Port')),
      user: values.get('Username'),
      password: server.password,
      database: values.get('Database'),
    }
    const args = [JSON.stringify(given), statement?.text ?? '']
    expect(await python(BY_PYMYSQL, args, { python: [PYTHON] })).toBe('42')
  })

  test.skipIf(PYODBC === '' || odbcDriver() === null)(
    'the connection string of Power BI connects',
    async () => {
      const text = await blockOf('odbc', 'odbc', server)
      const string = `${text.replace('{MariaDB Unicode}', odbcDriver() ?? '')};UID=${server.user};PWD=${server.password}`
      expect(await python(BY_PYODBC, [string], { python: [PYODBC] })).toBe('42')
    },
  )

  test('the data source of Grafana has the values of the Go program, which has its driver', async () => {
    const yaml = await blockOf('grafana', 'boathouse.yaml', server)
    const go = await blockOf('go', 'main.go', server)
    for (const key of ['url', 'user', 'database']) {
      const [, value = ''] = new RegExp(`${key}: (".*")`).exec(yaml) ?? []
      expect(value).not.toBe('')
      expect(go).toContain(value)
    }
    expect(yaml).toContain('tlsSkipVerify: true')
    expect(go).toContain('config.TLSConfig = "skip-verify"')
  })

  test('what the guides install is what the tests have', async () => {
    const scripts = ['mysql-clients.mjs', 'superset-requirements.txt'].map((name) =>
      readFile(new URL(`../../../../scripts/${name}`, import.meta.url), 'utf8'),
    )
    const fetched = (await Promise.all(scripts)).join('\n')
    const dependencies = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
    const names = ['superset', 'querybook', 'tableau-desktop', 'python', 'jdbc', 'node', 'dbt']
    for (const name of names)
      for (const { text, label } of await filledBlocks(name, server)) {
        if (label !== 'install' && label !== 'requirements') continue
        const pinned = text.match(/[\w.-]+==[\w.]+|(?<=-Dartifact=)\S+|mysql2@\S+/g) ?? []
        expect([name, pinned.length > 0]).toEqual([name, true])
        for (const one of pinned)
          expect([name, fetched.includes(one) || dependencies.includes(one.replace('@', '": "'))]).toEqual([
            name,
            true,
          ])
      }
  })
})
