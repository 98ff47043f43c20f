import { appendFile, rename, rm, symlink } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { CODES, MESSAGE_TYPES, messageCalls, pipe } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { rowsIn } from '../../../testing/load-kit.ts'
import { filesOfPipe, pipeApp, pipeOf, pipeText, runLater, runPipes } from '../../../testing/pipe-kit.ts'
import type { TestUser } from '../../../testing/start-app.ts'

const rows = (user: TestUser) => rowsIn(user, 'SELECT id, name FROM t ORDER BY id')
const refusal = async (user: TestUser, sql: string) => {
  const [answer] = await (await user.channel()).run(sql)
  return answer?.errMsg
}

test('a path that is not open to the account or the user is refused, with what is', async () => {
  const { app, admin } = await pipeApp({})
  for (const path of ['../x', 'a/../../x', './x', '/etc/passwd', 'a//b'])
    expect([path, await refusal(admin, pipeText({ path }))]).toEqual([path, expect.stringContaining('path:')])
  for (const path of ['/etc/passwd', 'file:///etc/passwd', 'https://example.com/x.csv', 'folder://landing'])
    expect(
      await refusal(
        admin,
        `CREATE PIPE p AS INSERT INTO t SELECT * FROM FILES("path" = "${path}", "format" = "csv")`,
      ),
    ).toContain('Write a path such as')
  for (const path of ['folder://other/x.csv', 's3://bucket/x.csv'])
    expect(
      await refusal(
        admin,
        `CREATE PIPE p AS INSERT INTO t SELECT * FROM FILES("path" = "${path}", "format" = "csv")`,
      ),
    ).toBe(`You cannot read files at ${path}. You can read files below folder://landing/.`)
  const user = await app.user()
  expect(await refusal(user, pipeText())).toContain('No folder or bucket is open to you')
  expect((await user.call(pipe.pipeSources, {})).data.list).toEqual([])
  expect((await admin.call(pipe.pipeSources, {})).data.list).toEqual([
    { path: 'folder://landing/', catalog: null },
  ])
})

test('what a pipe does not understand is refused when it is made', async () => {
  const { admin } = await pipeApp({})
  const said: Readonly<Record<string, string>> = {
    [pipeText({ properties: ', "batch_files" = "10"' })]: 'batch_files: Each file is loaded in a transaction',
    [pipeText({ properties: ', "poll_interval" = "0"' })]: 'poll_interval: Write whole seconds',
    [pipeText({ properties: ', "nonsense" = "1"' })]: 'nonsense: There is no such property',
    [pipeText({ properties: ', "warehouse" = "none"' })]: 'There is no warehouse none',
    [pipeText({ more: ', "aws.s3.access_key" = "x"' })]: 'with the keys of the catalog over it',
    [pipeText({ more: ', "json.root" = "$"' })]: 'json.root is not for the format csv',
    [pipeText({ more: ', "csv.column_separator" = "abcdef"' })]: 'column_separator: It has 1 to 4 bytes',
    [pipeText().replace('INTO t', 'INTO nowhere')]: 'There is no table main.nowhere',
    [pipeText().replace('"csv"', '"orc"')]: 'Set "format" to one of csv, json, parquet',
    [pipeText().replace('SELECT *', 'SELECT id')]: 'Columns of CSV files have no names',
  }
  for (const [sql, message] of Object.entries(said))
    expect([sql, await refusal(admin, sql)]).toEqual([sql, expect.stringContaining(message)])
})

test('files that are there and that come later are loaded once each, also after a rename and with the same content', async () => {
  const of = await pipeApp()
  const { admin, landing } = of
  await landing.put('orders/a.csv', '1,one\n2,two\n')
  await landing.put('orders/b.csv.gz', gzipSync('3,"three, in words"\n'))
  await landing.put('orders/.hidden.csv', '9,hidden\n')
  await landing.put('orders/_tmp.csv', '9,temporary\n')
  await landing.put('orders/deep/c.csv', '9,deep\n')
  await rowsIn(admin, pipeText({ path: 'orders/*.csv*' }))
  await runPipes(of)
  const first = [
    ['1', 'one'],
    ['2', 'two'],
    ['3', 'three, in words'],
  ]
  expect(await rows(admin)).toEqual(first)
  await runLater(of)
  await rename(landing.at('orders/a.csv'), landing.at('orders/renamed.csv'))
  await landing.put('orders/copy.csv', '1,one\n2,two\n')
  await runLater(of)
  expect(await rows(admin)).toEqual(first)
  const files = await filesOfPipe(admin)
  expect(
    Object.fromEntries(
      files.map(({ path, state }) => [path.slice('folder://landing/orders/'.length), state]),
    ),
  ).toEqual({
    'a.csv': 'loaded',
    'b.csv.gz': 'loaded',
    'copy.csv': 'skipped',
    'renamed.csv': 'skipped',
  })
  expect(files.find(({ state }) => state === 'skipped')?.error).toContain(
    'The same content was loaded from folder://landing/orders/a.csv.',
  )
  await landing.put('orders/d.csv', '4,four\n')
  await runLater(of)
  expect(await rows(admin)).toEqual([...first, ['4', 'four']])
  // Somebody who asks for it gets it.
  await rowsIn(admin, "ALTER PIPE p RETRY FILE 'folder://landing/orders/copy.csv'")
  await runPipes(of)
  expect(await rowsIn(admin, 'SELECT count(*) FROM t')).toEqual([['6']])
  expect(await pipeOf(admin)).toMatchObject({
    state: 'running',
    files: { waiting: 0, loading: 0, loaded: 4, failed: 0, skipped: 1 },
    rowsLoaded: 6,
    lagSeconds: null,
  })
})

test('a bad file fails with its reason, does not stop others, and is retried or skipped', async () => {
  const of = await pipeApp()
  const { admin, landing } = of
  await landing.put('orders/bad.csv', 'no number,x\n')
  await landing.put('orders/good.csv', '1,one\n')
  await rowsIn(admin, pipeText({ properties: ', "strict_mode" = "true"' }))
  await runPipes(of)
  expect(await rows(admin)).toEqual([['1', 'one']])
  const [bad] = (await filesOfPipe(admin)).filter(({ state }) => state === 'failed')
  expect(bad).toMatchObject({ path: 'folder://landing/orders/bad.csv', error: expect.stringMatching(/.+/) })
  expect((await pipeOf(admin)).actions).toEqual(['suspend', 'retry', 'drop'])
  const { pipeId } = await pipeOf(admin)
  await rowsIn(admin, 'ALTER PIPE p RETRY ALL')
  await runPipes(of)
  expect((await pipeOf(admin)).files.failed).toBe(1)
  const skip = { pipeId, fileId: bad?.fileId ?? '' }
  expect((await admin.call(pipe.skipPipeFile, skip)).code).toBe(CODES.Ok.code)
  expect((await admin.call(pipe.skipPipeFile, skip)).code).toBe(CODES.Conflict.code)
  expect((await pipeOf(admin)).files).toMatchObject({ failed: 0, skipped: 1 })
  // Mended, it is another file.
  await landing.put('orders/bad.csv', '2,two\n')
  await runLater(of)
  expect(await rows(admin)).toEqual([
    ['1', 'one'],
    ['2', 'two'],
  ])
})

test('a property says that a bad file suspends the pipe, and its owner is notified', async () => {
  const of = await pipeApp()
  const { admin, landing } = of
  await landing.put('orders/bad.csv', 'no number,x\n')
  await rowsIn(admin, pipeText({ properties: ', "strict_mode" = "true", "on_error" = "suspend"' }))
  await runPipes(of)
  const { state, reason } = await pipeOf(admin)
  expect([state, reason]).toEqual(['suspended', expect.stringContaining('orders/bad.csv was not loaded: ')])
  const { messages } = (await admin.call(messageCalls.listMessages, {})).data
  expect(messages.map(({ type }) => type)).toContain(MESSAGE_TYPES.PipeSuspended)
})

test('a file that grows while it is read is loaded when it no longer grows', async () => {
  const of = await pipeApp()
  const { app, admin, landing } = of
  const path = await landing.put('orders/grows.csv', '1,one\n')
  await rowsIn(
    admin,
    pipeText({ properties: ', "settle_seconds" = "30"' }).replace('"settle_seconds" = "0", ', ''),
  )
  const now = app.clock.now()
  await landing.age('orders/grows.csv', now)
  await runPipes(of)
  expect(await filesOfPipe(admin)).toEqual([])
  app.clock.advance(40_000)
  const run = runPipes(of)
  await run
  expect(await rows(admin)).toEqual([['1', 'one']])
  await appendFile(path, '2,two\n')
  await rm(path)
  await runLater(of)
  expect(await rows(admin)).toEqual([['1', 'one']])
})

test('a link is not followed, neither as a file nor on the way', async () => {
  const of = await pipeApp()
  const { admin, landing } = of
  await landing.put('orders/a.csv', '1,one\n')
  await symlink('/etc/hostname', landing.at('orders/link.csv'))
  await symlink('/etc', landing.at('outside'))
  await rowsIn(admin, pipeText({ path: '**' }))
  await rowsIn(admin, pipeText({ name: 'q', path: 'outside/*' }))
  await runPipes(of)
  expect((await filesOfPipe(admin)).map(({ path }) => path)).toEqual(['folder://landing/orders/a.csv'])
  expect(await pipeOf(admin, 'q')).toMatchObject({
    state: 'suspended',
    reason: expect.stringContaining('links are not followed'),
  })
})

test('a table that was dropped and a privilege that was revoked suspend the pipe with the reason', async () => {
  const of = await pipeApp()
  const { app, admin, landing } = of
  await landing.put('orders/a.csv', '1,one\n')
  const owner = await app.user(['db_admin'])
  await rowsIn(owner, 'CREATE TABLE mine (id BIGINT, name VARCHAR)')
  await rowsIn(owner, pipeText().replace('INTO t', 'INTO mine'))
  await rowsIn(owner, 'DROP TABLE mine')
  await runPipes(of)
  expect(await pipeOf(owner)).toMatchObject({
    state: 'suspended',
    reason: 'There is no table main.mine.',
    files: { waiting: 1 },
  })
  await rowsIn(owner, 'CREATE TABLE mine (id BIGINT, name VARCHAR)')
  await app.store.db.deleteFrom('user_roles').where('role', '=', 'db_admin').execute()
  await rowsIn(admin, 'ALTER PIPE p RESUME')
  await runLater(of)
  expect(await pipeOf(admin)).toMatchObject({
    state: 'suspended',
    reason: expect.stringContaining('You cannot read files at'),
  })
})

test('a pipe is seen and changed by its owner and account administrators alone', async () => {
  const of = await pipeApp({})
  const { app, admin } = of
  await rowsIn(admin, pipeText())
  const { pipeId } = await pipeOf(admin)
  const other = await app.user(['db_admin'])
  const stranger = await app.stranger()
  for (const user of [other, stranger]) {
    for (const call of [
      pipe.describePipe,
      pipe.suspendPipe,
      pipe.resumePipe,
      pipe.dropPipe,
      pipe.retryPipeFiles,
    ])
      expect((await user.call(call, { pipeId })).code).toBe(CODES.NotFound.code)
    expect((await user.call(pipe.changePipe, { pipeId, properties: {} })).code).toBe(CODES.NotFound.code)
    expect((await user.call(pipe.listPipes, {})).data.total).toBe(0)
    expect((await user.call(pipe.listPipeFiles, { pipeId })).code).toBe(CODES.NotFound.code)
  }
  expect(await refusal(other, 'DROP PIPE p')).toContain('There is no pipe p that you may see')
  expect(await refusal(other, pipeText().replace('CREATE', 'CREATE OR REPLACE'))).toContain('already exists')
  expect((await admin.call(pipe.listPipes, {})).data.total).toBe(1)
})

test('SHOW PIPES, DESC PIPE and information_schema show it in the words of the product', async () => {
  const of = await pipeApp()
  const { admin, landing } = of
  await landing.put('orders/a.csv', '1,one\n')
  await rowsIn(admin, pipeText())
  await rowsIn(admin, pipeText().replace('CREATE PIPE', 'CREATE PIPE IF NOT EXISTS'))
  await runPipes(of)
  const [shown = []] = (await rowsIn(admin, "SHOW PIPES LIKE 'p%'")) ?? []
  expect([shown[0], shown[2], shown[3], shown[4], shown[6]]).toEqual(['main', 'p', 'RUNNING', 'main.t', null])
  expect(JSON.parse(shown[5] ?? '')).toMatchObject({ loadedFiles: 1, loadedRows: 1 })
  const [described = []] = (await rowsIn(admin, 'DESC PIPE p')) ?? []
  expect(described.slice(2, 5)).toEqual(['p', 'FILE', 't'])
  expect(await rowsIn(admin, 'SELECT PIPE_NAME, TABLE_NAME, STATE FROM information_schema.pipes')).toEqual([
    ['p', 'main.t', 'RUNNING'],
  ])
  expect(
    await rowsIn(admin, 'SELECT FILE_NAME, FILE_ROWS, LOAD_STATE FROM information_schema.pipe_files'),
  ).toEqual([['folder://landing/orders/a.csv', '1', 'LOADED']])
  await rowsIn(admin, 'ALTER PIPE p SUSPEND')
  await landing.put('orders/b.csv', '2,two\n')
  await runLater(of)
  expect(await rows(admin)).toEqual([['1', 'one']])
  await rowsIn(admin, 'ALTER PIPE p SET PROPERTY ("poll_interval" = "3600")')
  await rowsIn(admin, 'ALTER PIPE p RESUME')
  await runPipes(of)
  expect(await rowsIn(admin, 'SELECT count(*) FROM t')).toEqual([['2']])
  expect((await pipeOf(admin)).properties['poll_interval']).toBe('3600')
  await rowsIn(admin, 'DROP PIPE p')
  expect(await rowsIn(admin, 'SHOW PIPES')).toEqual([])
  const actions = await rowsIn(
    admin,
    "SELECT action FROM sys.audit WHERE object_type = 'pipe' ORDER BY number",
  )
  expect(actions).toEqual([
    ['pipe.create'],
    ['pipe.suspend'],
    ['pipe.change'],
    ['pipe.resume'],
    ['pipe.drop'],
  ])
})

test('without auto_ingest a pipe loads what is there and is finished', async () => {
  const of = await pipeApp()
  const { admin, landing } = of
  await landing.put('orders/a.json', '{"id": 1, "name": "one"}\n{"id": 2, "name": "two"}\n')
  await rowsIn(
    admin,
    `CREATE PIPE p PROPERTIES ("settle_seconds" = "0", "auto_ingest" = "false") AS INSERT INTO t (id, name)
     SELECT id, name FROM FILES("path" = "folder://landing/orders/", "format" = "json") WHERE id > 1`,
  )
  await runPipes(of)
  expect(await rows(admin)).toEqual([['2', 'two']])
  expect((await pipeOf(admin)).state).toBe('finished')
})

test('the history names the pipe, and what it ran is charged to its owner', async () => {
  const of = await pipeApp()
  const { admin, landing } = of
  await landing.put('orders/a.csv', '1,one\n')
  await rowsIn(admin, pipeText())
  await runPipes(of)
  const found = await rowsIn(
    admin,
    "SELECT user_name, door, sql_text FROM sys.queries WHERE sql_text LIKE 'STREAM LOAD%'",
  )
  expect(found).toEqual([['admin', 'service', expect.stringMatching(/^STREAM LOAD 'pipe-p-/)]])
})
