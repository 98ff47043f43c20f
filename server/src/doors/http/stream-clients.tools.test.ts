import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { rowsIn } from '../../testing/load-kit.ts'
import { found } from '../../testing/outside-kit.ts'
import { SERVER_DIRECTORY } from '../../testing/server-directory.ts'
import { startApp } from '../../testing/start-app.ts'
import { portOf, streamed, transactionsOf } from '../../testing/stream-kit.ts'

const run = promisify(execFile)
const CLIENTS = join(SERVER_DIRECTORY, 'src', 'doors', 'http', 'clients')

/** Where `scripts/stream-clients.mjs` puts them; null where one is missing, and tests that need it are skipped. */
const PYTHON = found('BOATHOUSE_TEST_STREAM_PYTHON', /^stream-python-[\da-f]{12}$/)
const VECTOR = process.env['BOATHOUSE_TEST_STREAM_VECTOR'] ?? null
const JAVA = found('BOATHOUSE_TEST_STREAM_JAVA', /^stream-java-[\da-f]{12}$/)

type Line = readonly [step: string, status: number, answer: Readonly<Record<string, unknown>>]

async function started() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const host = `127.0.0.1:${await portOf(app)}`
  const rows = () => rowsIn(admin, 'SELECT name, count(*) FROM main.t GROUP BY ALL ORDER BY ALL')
  return { app, admin, host, rows, user: [`${app.accountId}.admin`, app.password] as const }
}

const linesOf = (stdout: string): readonly Line[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

test.skipIf(PYTHON === null)(
  'Python’s requests load a body, a generator, a file and a transaction [REAL-02]',
  async () => {
    const { host, user, rows } = await started()
    const program = join(CLIENTS, 'requests_loads.py')
    const env = { ...process.env, PYTHONPATH: PYTHON ?? '' }
    const { stdout } = await run('python3', [program, `http://${host}`, ...user], { env })
    const said = linesOf(stdout).map(([step, status, { Status }]) => [step, status, Status])
    expect(said).toEqual([
      ['load', 200, 'Success'],
      ['again', 200, 'Label Already Exists'],
      ['generator', 200, 'Success'],
      ['file', 200, 'Success'],
      ['wrong password', 401, 'Fail'],
      ['begin', 200, 'OK'],
      ['part', 200, 'OK'],
      ['part', 200, 'OK'],
      ['part', 200, 'OK'],
      ['prepare', 200, 'OK'],
      ['commit', 200, 'OK'],
      ['commit', 200, 'OK'],
    ])
    expect(await rows()).toEqual([
      ['a', '1'],
      ['b', '1'],
      ['tx', '3'],
      ['x'.repeat(100), '5000'],
      [null, '10'],
    ])
  },
)

test.skipIf(JAVA === null)(
  'Java’s HttpClient loads, also what it announces first, and parts in parallel [REAL-02]',
  async () => {
    const { host, user, rows } = await started()
    const { stdout } = await run('java', ['-cp', JAVA ?? '', 'HttpClientLoads', `http://${host}`, ...user])
    const said = linesOf(stdout)
    expect(said.map(([step, , { Status }]) => [step, Status])).toEqual([
      ['load', 'Success'],
      ['again', 'Label Already Exists'],
      ['announced', 'Success'],
      ['begin', 'OK'],
      ...Array.from({ length: 10 }, () => ['part', 'OK']),
      ['prepare', 'OK'],
      ['commit', 'OK'],
    ])
    expect(said.at(-1)?.[2]).toMatchObject({ NumberLoadedRows: 10 })
    expect(await rows()).toEqual([
      ['java', '10'],
      ['row', '40000'],
    ])
  },
)

test.skipIf(JAVA === null)(
  'the StarRocks connector for Flink loads, commits in two phases, twice, rolls back, and packs with lz4 [REAL-02]',
  async () => {
    const { host, user, rows } = await started()
    const { stdout } = await run('java', ['-cp', `${JAVA}:${JAVA}/*`, 'ConnectorLoads', host, ...user])
    expect(stdout.trim().split('\n')).toEqual([
      'plain loaded',
      'two phases done',
      'rolled back done',
      'lz4 done',
    ])
    expect(await rows()).toEqual([
      ['lz4', '1000'],
      ['plain', '100'],
      ['two phases', '1000'],
    ])
  },
)

const linesFor = (host: string, [user, password]: readonly [string, string]): string => `
[sources.lines]
type = "stdin"
decoding.codec = "json"
[sinks.table]
type = "http"
inputs = ["lines"]
uri = "http://${host}/api/main/t/_stream_load"
method = "put"
encoding.codec = "json"
framing.method = "newline_delimited"
healthcheck.enabled = false
auth = { strategy = "basic", user = "${user}", password = "${password}" }
request.headers = { format = "json", columns = "id, name" }
`

test.skipIf(VECTOR === null)('Vector sends its events as lines of JSON [REAL-02]', async () => {
  const { host, user, rows } = await started()
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-vector-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const settings = join(folder, 'vector.toml')
  await writeFile(settings, linesFor(host, user))
  const sent = run(VECTOR ?? '', ['--config', settings], { env: { ...process.env, VECTOR_DATA_DIR: folder } })
  sent.child.stdin?.end('{"id": 1, "name": "vector"}\n{"id": 2, "name": "vector"}\n')
  await sent
  expect(await rows()).toEqual([['vector', '2']])
})

test('50 writers at once, each with loads and a transaction of its own, lose and double nothing [REAL-02]', async () => {
  const { app, admin } = await started()
  const tx = transactionsOf(app)
  const write = async (writer: number) => {
    for (let at = 0; at < 4; at++) {
      const headers = { column_separator: ',', label: `writer-${writer}-${at}` }
      const send = () => streamed(app, `${writer},load ${at}\n`, { headers })
      const [first, second] = await Promise.all([send(), send()])
      const said = [first.body.Status, second.body.Status]
      expect(said.toSorted()).toEqual(['Label Already Exists', 'Success'])
    }
    const label = `writer-${writer}`
    expect((await tx.begin(label)).Status).toBe('OK')
    const parts = await Promise.all([0, 1, 2].map((at) => tx.load(label, `${writer},part ${at}\n`)))
    expect(parts.map(({ Status }) => Status)).toEqual(['OK', 'OK', 'OK'])
    expect((await tx.prepare(label)).Status).toBe('OK')
    expect((await tx.commit(label)).NumberLoadedRows).toBe(3)
  }
  await Promise.all(Array.from({ length: 50 }, (_, writer) => write(writer)))
  const counted = 'SELECT count(*), count(DISTINCT (id, name)) FROM main.t'
  expect(await rowsIn(admin, counted)).toEqual([['350', '350']])
})

test('200 loads of 1 MB in parallel are all loaded, each once [REAL-02]', async () => {
  const { app, admin } = await started()
  const row = `1,${'x'.repeat(97)}\n`
  const body = Buffer.from(row.repeat(10_000))
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      streamed(app, body, { headers: { column_separator: ',', label: `large-${at}` } }),
    ),
  )
  expect(new Set(answers.map(({ body: said }) => `${said.Status} ${said.NumberLoadedRows}`))).toEqual(
    new Set(['Success 10000']),
  )
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.t')).toEqual([['2000000']])
}, 600_000)
