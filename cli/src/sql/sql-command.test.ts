import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeKey } from '../../../server/src/testing/key-kit.ts'
import { sharedApp } from '../../../server/src/testing/start-app.ts'
import { runSqlCommand } from './testing/sql-command.ts'

const shared = sharedApp({}, { engine: 'embedded' })
let secret: string | undefined

async function startServer() {
  const app = await shared()
  secret ??= (await makeKey(await app.admin())).secret
  return { app, env: { BOATHOUSE_URL: await app.url(), BOATHOUSE_KEY: secret } }
}

test('statements of -e, a file and a pipe write their rows and nothing else, in the order given', async () => {
  const { env } = await startServer()
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-sql-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'report.sql')
  await writeFile(file, "-- a report; with a comment\nselect ';' as a;\nselect 2 as b")
  expect(await runSqlCommand(['-e', 'select 1 as one', '--file', file], { env })).toEqual({
    code: 0,
    stdout: 'one\n1\na\n;\nb\n2\n',
    stderr: '',
  })
  const piped = await runSqlCommand(['--format=jsonl'], {
    env,
    input: `select 12345678901234567890 as n, null as x, true as yes, 'a"b' as t; select $$ ; $$ as d;`,
  })
  expect(piped.stdout).toBe('{"n":12345678901234567890,"x":null,"yes":true,"t":"a\\"b"}\n{"d":" ; "}\n')
})

test('more rows than memory should hold are streamed, whole and in order', async () => {
  const { env } = await startServer()
  const sql = `select i, repeat('x', 100) as pad from range(30000) r(i) order by i`
  const { code, stdout } = await runSqlCommand(['-e', sql, '--format', 'csv'], { env })
  const lines = stdout.split('\n')
  expect([code, lines.length, lines[0], lines[30_000]?.slice(0, 7)]).toEqual([0, 30_002, 'i,pad', '29999,x'])
})

test('values are exact in a pipe: quotes, line breaks, empty texts, NULL and control characters', async () => {
  const { env } = await startServer()
  const sql = `select 'a,"b"' as q, e'1\\n2' as n, '' as e, null as u, chr(27) || '[31m' as c`
  expect((await runSqlCommand(['-e', sql], { env })).stdout).toBe(
    'q,n,e,u,c\n"a,""b""","1\n2","",,\u001b[31m\n',
  )
  const json = (await runSqlCommand(['-e', sql, '--format', 'json'], { env })).stdout
  expect(JSON.parse(json)).toEqual([{ q: 'a,"b"', n: '1\n2', e: '', u: null, c: '\u001b[31m' }])
  // A table is for people: it has no control characters wherever it goes.
  expect((await runSqlCommand(['-e', sql, '--format', 'table'], { env })).stdout).toContain('\\e[31m')
})

test('the first failure ends a script with 1 and its place, and --force runs the others', async () => {
  const { env } = await startServer()
  const input = 'select 1 as a;\nselect *\nfrom nowhere;\nselect 2 as b;'
  const failed = await runSqlCommand([], { env, input })
  expect([failed.code, failed.stdout]).toEqual([1, 'a\n1\n'])
  expect(failed.stderr).toContain('ERROR 42200 QueryFailed')
  expect(failed.stderr).toMatch(/LINE 2: from nowhere\n +\^\n$/)
  const forced = await runSqlCommand(['--force'], { env, input })
  expect([forced.code, forced.stdout]).toEqual([1, 'a\n1\nb\n2\n'])
})

test('a wrong key ends with 3, a wrong option with 2, and a secret among the options is refused', async () => {
  const { app, env } = await startServer()
  const wrong = await runSqlCommand(['-e', 'select 1'], { env: { ...env, BOATHOUSE_KEY: 'bh_wrong' } })
  expect([wrong.code, wrong.stdout]).toEqual([3, ''])
  expect(wrong.stderr).toContain('ERROR LoginFailed')
  const nobody = await runSqlCommand(['http://127.0.0.1:1', '-e', 'select 1'], { env })
  expect([nobody.code, nobody.stderr.startsWith('ERROR NetworkError')]).toEqual([3, true])
  const option = await runSqlCommand(['--fromat', 'csv'], { env })
  expect([option.code, option.stderr]).toEqual([
    2,
    "'--fromat' is not an option. 'boathouse sql --help' lists them.\n",
  ])
  const secret = await runSqlCommand(['--password=Rowing_1999'], { env })
  expect([secret.code, secret.stderr.includes('Rowing_1999')]).toEqual([2, false])
  const noPassword = await runSqlCommand(['--account', app.accountId, '--user', 'admin', '-e', 'select 1'], {
    env: { BOATHOUSE_URL: env.BOATHOUSE_URL },
  })
  expect(noPassword.code).toBe(2)
  expect(noPassword.stderr).toContain('BOATHOUSE_PASSWORD')
})

test('a password from the environment signs in, in a database that was chosen', async () => {
  const { app, env } = await startServer()
  app.clock.advance(Date.now() - app.clock.now().getTime())
  const who = { BOATHOUSE_URL: env.BOATHOUSE_URL, BOATHOUSE_PASSWORD: app.password }
  const args = ['--account', app.accountId, '--user', 'admin', '-d', 'main', '-w', 'default_warehouse']
  const { code, stdout } = await runSqlCommand([...args, '-e', 'select current_schema() as place'], {
    env: who,
  })
  expect([code, stdout]).toEqual([0, 'place\nmain\n'])
})
