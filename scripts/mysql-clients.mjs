import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canInstall, install } from './debian-packages.mjs'
import { CACHE, done, fetched, maven, pip } from './tool-cache.mjs'

/**
 * Real clients of MySQL, for the tests of the MySQL endpoint, each of one exact version: drivers from the registry of their
 * language (that of Node is a dependency), programs from Debian's packages, and a MariaDB that says what is right. What is compiled is compiled once
 * for its source. The programs that use them are in `server/src/doors/mysql/clients`.
 */
const SOURCES = fileURLToPath(new URL('../server/src/doors/mysql/clients', import.meta.url))

const PYTHON = [
  'PyMySQL==1.2.4',
  'cryptography==50.0.2',
  'mysql-connector-python==26.10.0',
  'SQLAlchemy==2.0.57',
  'starrocks==1.3.4',
  'pytest==9.2.0',
]
const MYSQLCLIENT = 'mysqlclient==2.3.1'
const PYODBC = 'pyodbc==5.3.0'
/** Of the guides in `docs/integrations`. */
const FRAMES = ['pandas==3.1.1', 'polars==2.1.0']
const DBT = ['dbt-core==1.10.23', 'dbt-starrocks==1.12.2']
/** Every package that Superset needs for a database of MySQL, so that no resolver has to be asked, which takes minutes. */
const SUPERSET = fileURLToPath(new URL('superset-requirements.txt', import.meta.url))
/** The driver that Metabase has. */
const MARIADB_2 = 'org.mariadb.jdbc:mariadb-java-client:2.7.12'
const JARS = ['com.mysql:mysql-connector-j:9.7.0', 'org.mariadb.jdbc:mariadb-java-client:3.5.11']

/**
 * Programs, the packages that hold them, and a file of the last of these where a machine may have the program without it: a
 * client of it is skipped then.
 */
const DEBIAN = [
  { program: 'mariadbd', packages: ['mariadb-server'] },
  { program: 'mariadb', packages: ['mariadb-client'] },
  { program: 'openssl', packages: ['openssl'] },
  { program: 'php', packages: ['php-cli', 'php-mysql'], file: '/usr/share/doc/php-mysql' },
  { program: 'perl', packages: ['perl', 'libdbd-mysql-perl'], file: '/usr/share/doc/libdbd-mysql-perl' },
  { program: 'isql', packages: ['unixodbc', 'odbc-mariadb'], file: '/usr/share/doc/odbc-mariadb' },
  { program: 'javac', packages: ['default-jdk-headless'] },
  { program: 'mariadb_config', packages: ['libmariadb-dev', 'gcc', 'pkg-config', 'python3-dev'] },
]

const folders = () => [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/go/bin']
const programIn = (name) =>
  folders()
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

const short = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** Of the files that a program is made of, so that a changed one is compiled again. */
function sourceHash(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile())
    .toSorted()
  return short(files.map((file) => readFileSync(file, 'utf8')).join('\0'))
}

const cached = (name, fetch) => fetched(join(CACHE, name), fetch)
const pipped = (name, ...packages) =>
  cached(`${name}-${short(packages.join(' '))}`, (draft) =>
    pip('install', '-q', '--target', draft, ...packages),
  )

const superset = () =>
  cached(`superset-${short(readFileSync(SUPERSET, 'utf8'))}`, (draft) =>
    pip('install', '-q', '--no-deps', '--only-binary=:all:', '--target', draft, '-r', SUPERSET),
  )

function java() {
  const folder = join(SOURCES, 'java')
  const name = `mysql-java-${short(JARS.join(' '))}-${sourceHash(folder)}`
  return cached(name, (draft) => {
    const sources = readdirSync(folder).map((file) => join(folder, file))
    return (
      JARS.every((artifact) => maven(artifact, draft)) &&
      done(programIn('javac') ?? 'javac', ['-d', draft, ...sources])
    )
  })
}

function go() {
  const folder = join(SOURCES, 'go')
  return cached(`mysql-go-${sourceHash(folder)}`, (draft) =>
    done(programIn('go') ?? 'go', ['build', '-buildvcs=false', '-o', join(draft, 'client'), '.'], {
      cwd: folder,
    }),
  )
}

/** What it is built of stays for the next build, when its source has changed. */
function rust() {
  const folder = join(SOURCES, 'rust')
  const target = join(CACHE, 'mysql-rust-target')
  return cached(`mysql-rust-${sourceHash(folder)}`, (draft) => {
    mkdirSync(target, { recursive: true })
    return (
      done('cargo', ['build', '--locked', '--target-dir', target], { cwd: folder }) &&
      done('cp', [join(target, 'debug', 'boathouse-mysql-client'), join(draft, 'client')])
    )
  })
}

const isMissing = ({ program, file }) => !programIn(program) || (file !== undefined && !existsSync(file))

function debianPrograms() {
  const missing = DEBIAN.filter(isMissing)
  if (missing.length > 0 && canInstall())
    install(
      'clients of MySQL',
      missing.flatMap(({ packages }) => packages),
    )
  return DEBIAN.filter(isMissing).map(
    ({ program, packages }) => `${program}: apt-get install ${packages.join(' ')}`,
  )
}

/** Sets what the tests look for; gives the lines that get what cannot be had. */
export function findMysqlClients() {
  const programs = debianPrograms()
  /** @type {Record<string, [() => string | undefined, string]>} */
  const tools = {
    PYTHON: [
      () => pipped('mysql-python', ...PYTHON),
      `Python’s drivers: pip install --target FOLDER ${PYTHON.join(' ')}`,
    ],
    MYSQLCLIENT: [
      () => pipped('mysqlclient', MYSQLCLIENT),
      `mysqlclient: pip install --target FOLDER ${MYSQLCLIENT}`,
    ],
    PYODBC: [() => pipped('pyodbc', PYODBC), `pyodbc: pip install --target FOLDER ${PYODBC}`],
    FRAMES: [
      () => pipped('python-frames', ...FRAMES),
      `pandas and Polars: pip install --target FOLDER ${FRAMES.join(' ')}`,
    ],
    DBT: [() => pipped('dbt', ...DBT), `dbt: pip install --target FOLDER ${DBT.join(' ')}`],
    SUPERSET: [superset, `Apache Superset: pip install --no-deps --target FOLDER -r ${SUPERSET}`],
    MARIADB_2: [
      () => cached(`mariadb-2-${short(MARIADB_2)}`, (draft) => maven(MARIADB_2, draft)),
      `MariaDB Connector/J 2.7: Maven, which fetches ${MARIADB_2}`,
    ],
    JAVA: [java, `Java’s drivers: a JDK of 17 or newer, and Maven, which fetches ${JARS.join(' and ')}`],
    GO: [go, 'Go’s driver: Go 1.24 or newer, which builds server/src/doors/mysql/clients/go'],
    RUST: [rust, 'Rust’s driver: Cargo, which builds server/src/doors/mysql/clients/rust'],
  }
  const lines = []
  for (const [name, [find, line]] of Object.entries(tools)) {
    const variable = `BOATHOUSE_TEST_CLIENT_${name}`
    const folder = process.env[variable] ?? find()
    if (folder) process.env[variable] = folder
    else lines.push(`${line}, then ${variable}=FOLDER`)
  }
  return [...programs, ...lines]
}
