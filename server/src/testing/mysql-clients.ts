import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { found } from './outside-kit.ts'
import { findProgram, type MysqlServer } from './mysql-servers.ts'
import { SERVER_DIRECTORY } from './server-directory.ts'

const run = promisify(execFile)
export const CLIENTS = join(SERVER_DIRECTORY, 'src', 'doors', 'mysql', 'clients')
export const SCENARIO = join(CLIENTS, 'scenario.json')

/** Where `scripts/mysql-clients.mjs` puts them; null where one is missing, and tests that need it are skipped. */
const PYTHON = found('BOATHOUSE_TEST_CLIENT_PYTHON', /^mysql-python-[\da-f]{12}$/)
const MYSQLCLIENT = found('BOATHOUSE_TEST_CLIENT_MYSQLCLIENT', /^mysqlclient-[\da-f]{12}$/)
const PYODBC = found('BOATHOUSE_TEST_CLIENT_PYODBC', /^pyodbc-[\da-f]{12}$/)
const JAVA = found('BOATHOUSE_TEST_CLIENT_JAVA', /^mysql-java-[\da-f]{12}-[\da-f]{12}$/)
const GO = found('BOATHOUSE_TEST_CLIENT_GO', /^mysql-go-[\da-f]{12}$/)
const RUST = found('BOATHOUSE_TEST_CLIENT_RUST', /^mysql-rust-[\da-f]{12}$/)

/** The driver of MariaDB for unixODBC, which Debian keeps below the name of the machine's kind. */
export function odbcDriver(): string | null {
  const libraries = '/usr/lib'
  const folders = existsSync(libraries) ? readdirSync(libraries) : []
  const files = folders.map((folder) => join(libraries, folder, 'odbc', 'libmaodbc.so'))
  return files.find((file) => existsSync(file)) ?? null
}

const pythonPath = [PYTHON, MYSQLCLIENT, PYODBC].filter((folder) => folder !== null).join(delimiter)
export const hasSqlalchemy = PYTHON !== null && MYSQLCLIENT !== null

/** A program that walks the steps of the contract with one driver. */
export interface Client {
  readonly name: string
  readonly isThere: boolean
  readonly command: readonly [string, ...string[]]
}

const program = (...path: readonly string[]): string => join(CLIENTS, ...path)

const python = (name: string, driver: string, folder: string | null): Client => ({
  name,
  isThere: PYTHON !== null && folder !== null && (driver !== 'pyodbc' || odbcDriver() !== null),
  command: ['python3', program('python', 'client.py'), driver],
})
const java = (name: string, driver: string): Client => ({
  name,
  isThere: JAVA !== null && findProgram('java') !== null,
  command: ['java', '-cp', `${JAVA ?? ''}${delimiter}${JAVA ?? ''}/*`, 'Client', driver],
})
const php = (name: string, driver: string): Client => ({
  name,
  isThere: findProgram('php') !== null,
  command: ['php', program('php', 'client.php'), driver],
})

export const ALL_CLIENTS: readonly Client[] = [
  { name: 'mysql2', isThere: true, command: ['node', program('node', 'client.mjs')] },
  python('PyMySQL', 'pymysql', PYTHON),
  python('mysqlclient', 'mysqlclient', MYSQLCLIENT),
  python('mysql-connector-python', 'mysql-connector', PYTHON),
  python('MariaDB ODBC by pyodbc', 'pyodbc', PYODBC),
  java('MySQL Connector/J', 'mysql'),
  java('MariaDB Connector/J', 'mariadb'),
  { name: 'go-sql-driver', isThere: GO !== null, command: [join(GO ?? '', 'client')] },
  { name: 'Rust mysql', isThere: RUST !== null, command: [join(RUST ?? '', 'client')] },
  php('PHP mysqli', 'mysqli'),
  php('PHP PDO', 'pdo'),
  {
    name: 'DBD::mysql',
    isThere: existsSync('/usr/share/doc/libdbd-mysql-perl'),
    command: ['perl', program('perl', 'client.pl')],
  },
]

/** What a client says of one step. */
export type Said = Readonly<Record<string, unknown>>

export function environmentOf({ host, port, user, password, database }: MysqlServer): NodeJS.ProcessEnv {
  return {
    ...process.env,
    SCENARIO,
    MYSQL_HOST: host,
    MYSQL_PORT: String(port),
    MYSQL_USER: user,
    MYSQL_PASSWORD: password,
    MYSQL_DATABASE: database,
    ODBC_DRIVER: odbcDriver() ?? '',
    PYTHONPATH: pythonPath,
    PYTHONDONTWRITEBYTECODE: '1',
  }
}

const WITHIN_MS = 150_000

/** Its steps by name, as far as it came. */
export async function runClient(
  { command }: Client,
  server: MysqlServer,
): Promise<ReadonlyMap<string, Said>> {
  const [file, ...args] = command
  const options = { env: environmentOf(server), timeout: WITHIN_MS, maxBuffer: 2 ** 26 }
  const { stdout } = await run(file, args, options).catch((error: unknown) => {
    if (error instanceof Error && 'stdout' in error) return { stdout: String(error.stdout) }
    throw error
  })
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  return new Map(
    lines.map((line) => {
      const { step, ...said } = JSON.parse(line) as { readonly step: string }
      return [step, said]
    }),
  )
}

/** Runs a text with the command line of MariaDB, as people do; gives what it printed. */
export async function withCommandLine(
  { host, port, user, password, database }: MysqlServer,
  args: readonly string[],
  input: string | Buffer = '',
): Promise<string> {
  const place = ['--no-defaults', `-h${host}`, `-P${port}`, `-u${user}`, '--protocol=tcp']
  const sent = run('mariadb', [...place, '--default-character-set=utf8mb4', ...args, database], {
    env: { ...process.env, MYSQL_PWD: password },
    timeout: WITHIN_MS,
    maxBuffer: 2 ** 26,
  })
  sent.child.stdin?.end(input)
  return (await sent).stdout
}
