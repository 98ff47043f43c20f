import { spawnSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { existsSync } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { callAs } from '@boathouse/client'
import { user } from '@boathouse/contract/user'
import { expect, test } from '@playwright/test'
import { ask, logIn } from './ask.ts'
import { boathouse } from './command.ts'
import { type DataDirectory, newDataDirectory } from './data-directory.ts'
import { seconds, tellFigure } from './figures.ts'
import { enginesOf, processesOf } from './processes.ts'
import { type Product, type StartOptions, startProduct } from './product.ts'
import { COMMAND } from './repository.ts'
import { freePort } from '../server/src/testing/free-port.ts'

const NO_SAMPLES = { BOATHOUSE_SAMPLE_DATA: 'false' }
const SAMPLE_TABLES = 8

/** The first start and the next ones, by what this machine takes for a start that does nothing. */
const FIRST_TIMES = 60
const NEXT_TIMES = 30

/** Milliseconds of the middle one of three. */
async function smallestStart(): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const startedAt = performance.now()
    await boathouse(['version'])
    times.push(performance.now() - startedAt)
  }
  return times.toSorted((one, other) => one - other)[1] ?? Number.NaN
}

/** Everything that one data directory lives through, in order. */
test.describe('one data directory, whose path has spaces, from start to start', { tag: '@measured' }, () => {
  test.describe.configure({ mode: 'serial' })
  let directory: DataDirectory
  let product: Product
  let accountId = ''
  let password = ''
  let firstStartMs = 0
  let secondStartMs = 0
  let afterKillMs = 0
  let smallestStartMs = 0

  // Started from a place that has nothing to do with the product.
  const start = (options: StartOptions = {}) =>
    startProduct({ dataDir: directory.path, password: null, cwd: tmpdir(), ...options })

  const sampleTables = () =>
    ask(product, `select count(*) from information_schema.tables where table_schema = 'sample'`)
  const note = () => ask(product, 'select text from main.notes order by text')

  test.beforeAll(async () => {
    smallestStartMs = await smallestStart()
    directory = await newDataDirectory('my data, all of it')
  })
  test.afterAll(async () => {
    await product?.stop()
    await directory.remove()
  })

  test('the first start says where it is, who may sign in and, once, with what password', async () => {
    product = await start()
    accountId = product.accountId
    password = product.password
    firstStartMs = product.readyMs

    const lines = product.stdout().trimEnd().split('\n')
    expect(lines[0]).toBe(`Boathouse is ready: ${product.url}`)
    expect(product.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(accountId).toMatch(/^[A-Z]{3}\d{5}$/)
    expect(product.user).toBe('admin')
    expect(password).toMatch(/^\S{8,16}$/)
    expect(lines[1]).toContain(`${product.url}/login?step=signin&aid=${accountId}&region=local-1`)
    expect(product.stderr()).not.toContain(password)
  })

  test('that password opens the account, and another does not', async () => {
    expect(await callAs(await logIn(product), user.info, {})).toMatchObject({ accountId })
    await expect(logIn(product, 'Rowing_1999')).rejects.toMatchObject({ codeName: 'LoginFailed' })
  })

  test('the sample data is there to be asked', async () => {
    expect(await sampleTables()).toEqual([[String(SAMPLE_TABLES)]])
    await ask(
      product,
      `create table main.notes (text varchar); insert into main.notes values ('first start')`,
    )
    expect(await note()).toEqual([['first start']])
  })

  test('status gives scripts the addresses, the account and the state of each part', async () => {
    const { code, stdout } = await boathouse(['status', '--json', '--data-dir', directory.path])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      running: true,
      pid: product.pid,
      url: product.url,
      mysqlHost: '127.0.0.1',
      mysqlPort: expect.any(Number),
      region: 'local-1',
      accountId,
      user: 'admin',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      clusters: expect.stringMatching(/^not offered: /),
      parts: { http: 'running', store: 'embedded', engine: 'duckdb', mysql: expect.any(String) },
    })
    const plain = await boathouse(['status'], { env: { BOATHOUSE_DATA_DIR: directory.path } })
    expect(plain.stdout).toContain(`runs at ${product.url} (account ${accountId})`)
  })

  test('a second server on the same data is refused, and the first one keeps running', async () => {
    const env = { BOATHOUSE_MYSQL_PORT: '0' }
    const second = await boathouse(['start', '--port', '0', '--data-dir', directory.path], { env })
    expect(second.code).toBe(1)
    expect(lastLine(second.stderr)).toMatch(/^Boathouse did not start\. .*(another|already)/i)
    expect(lastLine(second.stderr)).toContain(directory.path)
    expect(second.stdout).toBe('')
    expect(await note()).toEqual([['first start']])
  })

  test('SIGTERM ends every process that it started', async () => {
    await expect.poll(() => enginesOf(directory.path)).toHaveLength(1)
    expect(processesOf(directory.path).some(({ command }) => command.includes('postgres'))).toBe(true)
    expect(await product.stop('SIGTERM')).toBe(0)
    await expectNoProcess(directory)
    expect(await boathouse(['status', '--json', '--data-dir', directory.path])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"running": false'),
    })
  })

  test('the second start finds the same account and data, and prints no password', async () => {
    product = await start()
    secondStartMs = product.readyMs
    expect(product.accountId).toBe(accountId)
    expect(product.password).toBe('')
    expect(product.stdout()).not.toMatch(/password/i)
    product = { ...product, password }
    expect(await note()).toEqual([['first start']])
    expect(await sampleTables()).toEqual([[String(SAMPLE_TABLES)]])
  })

  test('after kill -9 of the server the next start has everything that was acknowledged', async () => {
    await ask(product, `insert into main.notes values ('just before the end')`)
    await product.kill9()
    product = { ...(await start()), password }
    afterKillMs = product.readyMs
    expect(product.accountId).toBe(accountId)
    expect(await note()).toEqual([['first start'], ['just before the end']])
    expect(await sampleTables()).toEqual([[String(SAMPLE_TABLES)]])
    await expect.poll(() => enginesOf(directory.path)).toHaveLength(1)
  })

  test('Ctrl+C, which is SIGINT, ends every process too', async () => {
    expect(processesOf(directory.path).length).toBeGreaterThan(1)
    expect(await product.stop('SIGINT')).toBe(0)
    await expectNoProcess(directory)
  })

  test('all of these starts were quick', async () => {
    tellFigure(`first start, sample data made: ${seconds(firstStartMs)} (budget 10 s)`)
    tellFigure(`second start: ${seconds(secondStartMs)}, after kill -9: ${seconds(afterKillMs)} (budget 3 s)`)
    const bare = Math.max(smallestStartMs, await smallestStart())
    tellFigure(
      `the command that only says its version: ${seconds(bare)} (at most ${FIRST_TIMES} and ${NEXT_TIMES} times as much)`,
    )
    expect(firstStartMs).toBeLessThan(FIRST_TIMES * bare)
    expect(secondStartMs).toBeLessThan(NEXT_TIMES * bare)
    expect(afterKillMs).toBeLessThan(NEXT_TIMES * bare)
  })
})

test('an ordinary user can start it', async () => {
  test.skip(process.getuid?.() !== 0, 'these tests themselves run as an ordinary user')
  const nobody = 65_534
  // Node is asked, not the product: one that fails for this user must fail the test.
  const seen = spawnSync(process.execPath, ['-e', 'fs.accessSync(process.argv[1])', COMMAND], {
    uid: nobody,
    gid: nobody,
  })
  test.skip(seen.status !== 0, `the checkout or Node is closed to user ${nobody}: open ${COMMAND} to it`)

  const directory = await newDataDirectory()
  await mkdir(directory.path)
  await chown(directory.path, nobody, nobody)
  try {
    const product = await startProduct({
      dataDir: directory.path,
      uid: nobody,
      env: { ...NO_SAMPLES, HOME: directory.path },
    })
    try {
      expect(await ask(product, 'select 6 * 7')).toEqual([['42']])
    } finally {
      await product.stop()
    }
    await expectNoProcess(directory)
  } finally {
    await directory.remove()
  }
})

test('a taken port is said in one sentence with the way out, and nothing is left running', async () => {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  const { port } = holder.address() as AddressInfo
  const directory = await newDataDirectory()
  try {
    const env = {
      BOATHOUSE_DATA_DIR: directory.path,
      BOATHOUSE_HTTP_PORT: String(port),
      BOATHOUSE_MYSQL_PORT: '0',
    }
    const { code, stdout, stderr } = await boathouse(['start'], { env })
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toBe(
      `Boathouse did not start. Port ${port} on 127.0.0.1 is taken. Choose another one: BOATHOUSE_HTTP_PORT=${port + 1}\n`,
    )
    await expectNoProcess(directory)
    expect(existsSync(directory.path)).toBe(false)
  } finally {
    holder.close()
    await directory.remove()
  }
})

test('--port and --data-dir stand for the variables', async () => {
  const directory = await newDataDirectory()
  const port = await freePort()
  try {
    const product = await startProduct({
      dataDir: `${directory.path}-not-used`,
      args: ['--port', String(port), '--data-dir', directory.path],
      env: NO_SAMPLES,
    })
    try {
      expect(product.url).toBe(`http://127.0.0.1:${port}`)
      expect((await fetch(`${product.url}/healthz`)).status).toBe(200)
      expect(existsSync(directory.path)).toBe(true)
    } finally {
      await product.stop()
    }
    await expectNoProcess(directory)
  } finally {
    await directory.remove()
  }
})

const WRONG = [
  { name: 'BOATHOUSE_DATA_DIR', value: '/dev/null/data' },
  { name: 'BOATHOUSE_HTTP_PORT', value: 'eighty' },
  { name: 'BOATHOUSE_MYSQL_PORT', value: '70000' },
  { name: 'BOATHOUSE_ADMIN_PASSWORD', value: 'short' },
  { name: 'BOATHOUSE_LOG_LEVEL', value: 'loud' },
  { name: 'DATABASE_URL', value: 'mysql://somewhere' },
  { name: 'BOATHOUSE_HTTP_PROT', value: '8080' },
]

for (const { name, value } of WRONG)
  test(`a wrong ${name} stops the start with one sentence that names it`, async () => {
    const directory = await newDataDirectory()
    try {
      const env = { BOATHOUSE_DATA_DIR: directory.path, BOATHOUSE_HTTP_PORT: '0', [name]: value }
      const { code, stdout, stderr } = await boathouse(['start'], { env })
      expect(code).toBe(1)
      expect(stdout).toBe('')
      expect(stderr.trimEnd().split('\n')).toEqual([
        expect.stringMatching(new RegExp(`^Boathouse did not start\\. ${name}\\b.+\\.$`)),
      ])
      expect(existsSync(directory.path)).toBe(false)
    } finally {
      await directory.remove()
    }
  })

test('config lists every setting with its default, and hides what is secret', async () => {
  const env = { BOATHOUSE_HTTP_PORT: '8123', BOATHOUSE_ADMIN_PASSWORD: 'Rowing_2026' }
  const { code, stdout } = await boathouse(['config'], { env })
  expect(code).toBe(0)
  for (const line of [
    'BOATHOUSE_DATA_DIR=./data   (default)',
    'BOATHOUSE_HTTP_PORT=8123',
    'BOATHOUSE_MYSQL_PORT=9030   (default)',
    'BOATHOUSE_ADMIN_PASSWORD=***',
    'DATABASE_URL=   (default)',
  ])
    expect(stdout.split('\n')).toContain(line)
  expect(stdout).not.toContain('Rowing_2026')

  const settings = JSON.parse((await boathouse(['config', '--json'])).stdout) as { name: string }[]
  const named = stdout.match(/^[A-Z\d_]+(?==)/gm)
  expect(settings.map((setting) => setting.name)).toEqual(named)
})

test('an unknown command or option is said, and ends with code 2', async () => {
  expect(await boathouse(['fly'])).toMatchObject({ code: 2, stderr: expect.stringContaining(`'fly'`) })
  expect(await boathouse(['start', '--prot', '1'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`'--prot' is not an option.`),
  })
})

/** What has to end may write back what it holds first, which a busy machine lets it do a moment later. */
const expectNoProcess = ({ path }: DataDirectory): Promise<void> =>
  expect.poll(() => processesOf(path)).toEqual([])

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''
