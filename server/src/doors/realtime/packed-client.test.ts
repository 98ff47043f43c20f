import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKey } from '../../testing/key-kit.ts'
import { SERVER_DIRECTORY } from '../../testing/server-directory.ts'
import { startApp } from '../../testing/start-app.ts'

const run = promisify(execFile)
const REPOSITORY = join(SERVER_DIRECTORY, '..')
const EXAMPLES = join(REPOSITORY, 'packages/client/examples')

let folder = ''

/** The package as somebody elsewhere has it: packed, and installed in an empty folder without any registry. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boathouse-packed-'))
  const packed = await run(process.execPath, [join(REPOSITORY, 'scripts/pack-client.mjs'), folder])
  const ws = await run('npm', ['pack', join(REPOSITORY, 'node_modules/ws'), '--pack-destination', folder])
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const files = [packed.stdout.trim(), ws.stdout.trim()].map((path) => `./${basename(path)}`)
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], { cwd: folder })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('the package needs nothing of this repository, and nothing but ws of others', async () => {
  const installed = join(folder, 'node_modules/@boathouse/client')
  expect(await readdir(join(folder, 'node_modules'))).toEqual(expect.not.arrayContaining(['zod', '@noble']))
  const declared = await Promise.all(
    (await readdir(installed))
      .filter((name) => /\.(?:js|d\.ts)$/.test(name))
      .map((name) => readFile(join(installed, name), 'utf8')),
  )
  const named = declared.flatMap((text) =>
    [...text.matchAll(/(?:^|\n)(?:import|export)[^'"\n]* from ['"]([^'"]+)['"]/g)].map((match) => match[1]),
  )
  expect(named.filter((name) => !name?.startsWith('./'))).toEqual([])
  expect(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))).toMatchObject({
    engines: { node: '>=20.19' },
    dependencies: { ws: expect.stringMatching(/^\d/) as unknown },
  })
})

test('its examples run against a real server, with a password and with a key', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  app.clock.advance(Date.now() - app.clock.now().getTime())
  const { secret } = await makeKey(await app.admin())
  for (const name of await readdir(EXAMPLES)) await copyFile(join(EXAMPLES, name), join(folder, name))
  const example = async (name: string, env: Record<string, string>) => {
    const all = { PATH: process.env['PATH'], BOATHOUSE_URL: await app.url(), ...env }
    return (await run(process.execPath, [name], { cwd: folder, env: all })).stdout.trim().split('\n')
  }
  const first = ['default_warehouse is Suspended', 'answer', '42', '43']
  const password = { BOATHOUSE_ACCOUNT: app.accountId, BOATHOUSE_PASSWORD: app.password }
  expect(await example('warehouses-and-rows.mjs', password)).toEqual(first)
  expect(await example('warehouses-and-rows.mjs', { BOATHOUSE_KEY: secret })).toEqual([
    'default_warehouse is Running',
    ...first.slice(1),
  ])
  expect(await example('errors-and-cancel.mjs', { BOATHOUSE_KEY: secret })).toEqual([
    'QueryFailed (missing) at line 1',
    'TimeoutError',
    'yes',
  ])
  await expect(example('errors-and-cancel.mjs', { BOATHOUSE_KEY: 'bh_wrong' })).rejects.toMatchObject({
    stdout: '/user/info: LoginFailed\n',
  })
})

test('its types tell right calls from wrong ones', async () => {
  await writeFile(
    join(folder, 'typed.ts'),
    `import { connect, type Row, StatementError } from '@boathouse/client'
const boathouse = await connect({ url: 'http://127.0.0.1', key: 'bh_x' })
const { warehouses } = await boathouse.api.warehouse.list()
const name: string | undefined = warehouses[0]?.name
await boathouse.api.query.history({ limit: 5 }, { signal: AbortSignal.timeout(1) })
const tree = await boathouse.api.editor.listTabTree({})
const session = await boathouse.session({ rowLimit: 5 })
for await (const row of await session.run('select 1')) { const same: Row = row; void same }
// @ts-expect-error A limit is a number.
await boathouse.api.query.history({ limit: 'five' })
// @ts-expect-error There is no such call.
await boathouse.api.query.nothing()
// @ts-expect-error A name is required.
await boathouse.api.key.create({})
// @ts-expect-error Neither key nor password.
await connect({ url: 'http://127.0.0.1' })
const error: unknown = null
if (error instanceof StatementError) { const line: number | undefined = error.position?.line; void line }
void name; void tree
export {}
`,
  )
  const options = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    '',
    '--lib',
    'es2023,dom,dom.asynciterable',
  ]
  const tsc = join(REPOSITORY, 'node_modules/.bin/tsc')
  const checked = await run(tsc, [...options, 'typed.ts'], { cwd: folder }).catch((error: unknown) => error)
  expect(checked).toMatchObject({ stdout: '' })
})
