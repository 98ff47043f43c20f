import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { load as loadCalls, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS, HOURS, SECONDS } from '../../../../testing/fake-clock.ts'
import { filesOf, rowsIn } from '../../../../testing/load-kit.ts'
import { startApp, type TestAppOptions } from '../../../../testing/start-app.ts'
import { basic, begun, streamed, transactionsOf } from '../../../../testing/stream-kit.ts'

async function started(options: TestAppOptions = {}) {
  const app = await startApp({}, { engine: 'embedded', ...options })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  await rowsIn(admin, 'CREATE TABLE main.u (id BIGINT NOT NULL)')
  const rows = (sql = 'SELECT * FROM main.t ORDER BY ALL') => rowsIn(admin, sql)
  const count = async (table = 't') => (await rows(`SELECT count(*) FROM main.${table}`))?.[0]?.[0]
  const said = async (sql: string) => (await (await admin.channel()).run(sql))[0]?.errMsg
  return { app, admin, rows, count, said, tx: transactionsOf(app) }
}

test('who may not insert, names nothing, or another user cannot begin, feed, commit or end a transaction', async () => {
  const { app, admin, count, tx } = await started()
  const nobody = transactionsOf(app, basic(app, 'admin', 'Wrong123!'))
  expect((await nobody.begin('x')).Message).toContain('password')
  const reader = await app.user([])
  await rowsIn(admin, `GRANT SELECT ON TABLE main.t TO USER ${reader.name}`)
  const asReader = transactionsOf(app, basic(app, reader.name))
  expect(await asReader.begin('x')).toMatchObject({
    Status: 'FAILED',
    Message: expect.stringContaining('INSERT'),
  })
  const stranger = transactionsOf(app, basic(app, (await app.user([])).name))
  await rowsIn(admin, 'CREATE DATABASE other')
  const multi = { db: 'other', table: '', transaction_type: 'multi' }
  expect((await stranger.begin('x', multi)).Message).toContain('There is no database other')
  for (const [more, words] of [
    [{ table: 'none' }, 'There is no table main.none.'],
    [{ table: '' }, 'table: Name the table'],
    [{ db: '' }, 'db: Name the database'],
    [{ label: '' }, 'label: Name the transaction'],
    [{ label: 'x'.repeat(300) }, 'A label has letters'],
    [{ timeout: '0' }, 'timeout'],
    [{ idle_transaction_timeout: '-1' }, 'idle_transaction_timeout'],
    [{ warehouse: 'none' }, 'There is no warehouse none'],
    [{ transaction_type: 'global' }, 'transaction_type'],
  ] as const)
    expect((await tx.begin('x', more)).Message).toContain(words)
  expect(await tx.begin('own')).toMatchObject({ Status: 'OK', Label: 'own' })
  for (const step of ['prepare', 'commit', 'rollback'] as const) {
    expect(await asReader[step]('own')).toMatchObject({ Status: 'FAILED', Message: 'TXN_NOT_EXISTS' })
    expect(await tx[step]('none')).toMatchObject({ Status: 'FAILED', Message: 'TXN_NOT_EXISTS' })
  }
  expect((await asReader.load('own', '1,a\n')).Message).toBe('TXN_NOT_EXISTS')
  expect(await asReader.state('own')).toBe('UNKNOWN')
  expect(await tx.state('own')).toBe('PREPARE')
  expect((await tx.commit('own')).Status).toBe('OK')
  expect(await count()).toBe('0')
})

test('a transaction of one table takes no part of another, and one of several takes both [REAL-02]', async () => {
  const { count, tx } = await started()
  await tx.begin('mistaken')
  const refused = await tx.load('mistaken', '7\n', { table: 'u' })
  expect([refused.Status, refused.Message]).toEqual([
    'FAILED',
    expect.stringContaining('transaction_type: multi'),
  ])
  expect((await tx.commit('mistaken')).Status, 'as with every part that is refused').toBe('FAILED')
  await tx.begin('one')
  expect(await tx.load('one', '1,a\n', { table: 'T' })).toMatchObject({ Status: 'OK' })
  expect((await tx.commit('one')).Status).toBe('OK')
  await tx.begin('several', { transaction_type: 'multi' })
  for (const table of ['t', 'u']) await tx.load('several', table === 't' ? '2,b\n' : '7\n', { table })
  expect((await tx.commit('several')).Status).toBe('OK')
  expect([await count(), await count('u')]).toEqual(['2', '1'])
})

test('parts of several tables are loaded together, once, and every answer can be asked for again [REAL-02]', async () => {
  const { app, admin, rows, count, tx } = await started()
  const { TxnId } = await tx.begin('both', { table: '', transaction_type: 'multi' })
  const parts = await Promise.all([
    tx.load('both', '1,a\n2,b\n'),
    tx.load('both', '{"id": 7}\n{"id": 8}\n', { table: 'u', format: 'json' }),
    ...Array.from({ length: 8 }, (_, at) => tx.load('both', `${at + 3},c\n`)),
  ])
  expect(new Set(parts.map(({ Status, TxnId: id, Seq }) => `${Status} ${id} ${Seq}`))).toEqual(
    new Set(Array.from({ length: 10 }, (_, at) => `OK ${TxnId} ${at}`)),
  )
  expect([await count(), await filesOf(app)]).toEqual(['0', expect.objectContaining({ length: 10 })])
  const numbers = { TxnId, NumberTotalRows: 12, NumberLoadedRows: 12, NumberFilteredRows: 0, LoadBytes: 61 }
  const prepared = await tx.prepare('both')
  expect(prepared).toMatchObject({ Status: 'OK', ...numbers })
  expect(await tx.prepare('both')).toEqual(prepared)
  expect([await count(), await tx.state('both')]).toEqual(['0', 'PREPARED'])
  expect((await tx.load('both', '9,x\n')).Message).toContain('Transaction State Invalid')
  const list = 'SELECT LABEL, STATE, TABLE_NAME FROM information_schema.loads'
  expect(await rows(list)).toEqual([['both', 'PREPARED', expect.stringMatching(/^(t, u|u, t)$/)]])
  expect(await rows('SELECT PROPERTIES FROM information_schema.loads'), 'parts differ').toEqual([[null]])
  expect(await rows("SHOW LOAD FROM main WHERE LABEL = 'both' AND STATE = 'LOADING'")).toEqual([])
  expect(await rows("SHOW LOAD FROM main WHERE LABEL = 'both' AND STATE = 'PREPARED'")).toHaveLength(1)
  const answers = await Promise.all([tx.commit('both'), tx.commit('both')])
  expect(answers[0]).toMatchObject({ Status: 'OK', Message: '', ...numbers })
  expect(answers[1]).toEqual(answers[0])
  expect(await tx.commit('both')).toEqual(answers[0])
  expect([await count(), await count('u'), await filesOf(app)]).toEqual(['10', '2', []])
  expect(await tx.state('both')).toBe('VISIBLE')
  expect(await rows(list)).toEqual([['both', 'FINISHED', expect.any(String)]])
  expect(await tx.begin('both')).toMatchObject({
    Status: 'LABEL_ALREADY_EXISTS',
    ExistingJobStatus: 'FINISHED',
  })
  expect((await tx.rollback('both')).Message).toContain('It was committed.')
  await app.endsWritten()
  const { entries } = (await admin.call(query.history, { limit: 20 })).data
  const loads = entries.filter(({ sql }) => sql.startsWith('STREAM LOAD'))
  expect(loads.map(({ state, rows: changed, door }) => [state, changed, door])).toEqual([
    ['finished', 12, 'ingest'],
    ['finished', 0, 'ingest'],
  ])
  expect(loads[0]?.sql).toContain(`'both' INTO "default_catalog"."main"`)
})

test('a label is one load or one transaction, whichever came first, until that has failed', async () => {
  const { app, tx, count } = await started()
  await streamed(app, '1,a\n', { headers: { column_separator: ',', label: 'one' } })
  expect(await tx.begin('one')).toMatchObject({ Status: 'LABEL_ALREADY_EXISTS' })
  expect((await tx.commit('one')).Message).toBe('TXN_NOT_EXISTS')
  const crowd = await Promise.all(Array.from({ length: 10 }, () => tx.begin('two')))
  expect(crowd.filter(({ Status }) => Status === 'OK')).toHaveLength(1)
  expect(crowd.filter(({ ExistingJobStatus }) => ExistingJobStatus === 'RUNNING')).toHaveLength(9)
  const plain = { headers: { column_separator: ',', label: 'two' } }
  expect((await streamed(app, '2,b\n', plain)).body).toMatchObject({ Status: 'Label Already Exists' })
  expect((await tx.rollback('two')).Status).toBe('OK')
  expect((await tx.rollback('two')).Status).toBe('OK')
  expect((await tx.commit('two')).Message).toContain('It was rolled back by its program.')
  expect(await tx.state('two')).toBe('ABORTED')
  expect((await streamed(app, '2,b\n', plain)).body).toMatchObject({ Status: 'Success' })
  expect(await count()).toBe('2')
})

test('a part that is refused, cut off or does not fit ends its transaction: nothing of it is loaded', async () => {
  const { app, admin, tx, count } = await started()
  for (const [label, bad] of [
    ['header', () => tx.load('header', '2,b\n', { columns: 'id, id' })],
    ['table', () => tx.load('table', '2,b\n', { table: 'none' })],
    ['gzip', () => tx.load('gzip', 'no gzip', { compression: 'gzip' })],
  ] as const) {
    await tx.begin(label)
    expect((await tx.load(label, '1,a\n')).Status).toBe('OK')
    const { Status, Message } = await bad()
    expect(Status).toBe('FAILED')
    expect((await tx.commit(label)).Message).toBe(`Transaction State Invalid: It was rolled back. ${Message}`)
  }
  await tx.begin('cut')
  const { request } = await tx.open('cut', { 'content-length': '1000000' })
  request.write('1,a\n'.repeat(1_000))
  await expect.poll(() => filesOf(app)).toHaveLength(1)
  expect(await tx.commit('cut')).toMatchObject({ Status: 'TXN_IN_PROCESSING' })
  expect(await tx.prepare('cut')).toMatchObject({ Status: 'TXN_IN_PROCESSING' })
  request.destroy()
  await expect.poll(() => tx.state('cut')).toBe('ABORTED')
  await tx.begin('misfit', { transaction_type: 'multi' })
  await tx.load('misfit', '1,a\n')
  await tx.load('misfit', '1\nx\n', { table: 'u' })
  const said = await tx.prepare('misfit')
  expect(said).toMatchObject({
    Status: 'FAILED',
    Message: expect.stringContaining('too many filtered rows: 1 of 2'),
    NumberLoadedRows: 0,
    NumberFilteredRows: 1,
  })
  const path = (said.ErrorURL ?? '').replace(/^https?:\/\/[^/]+/, '')
  const errorsFor = async (user: string) => {
    const headers = { authorization: basic(app, user) }
    const { request: get, answer } = await begun(app, { path, method: 'GET', headers })
    get.end()
    const { status, body } = await answer
    return [status, body as unknown]
  }
  expect(await errorsFor('admin')).toEqual([200, expect.stringContaining('id cannot be NULL')])
  // Who may read one of its tables may not read the rows of the other.
  const half = await app.user([])
  await rowsIn(admin, `GRANT SELECT ON TABLE main.t TO USER ${half.name}`)
  expect((await errorsFor(half.name))[0]).toBe(403)
  // Without being prepared, the same is found out by the commit.
  await tx.begin('direct', { table: 'u' })
  await tx.load('direct', 'x\n', { table: 'u' })
  expect(await tx.commit('direct')).toMatchObject({ Status: 'FAILED', NumberFilteredRows: 1 })
  expect(await tx.state('direct')).toBe('ABORTED')
  expect([await count(), await count('u'), await filesOf(app)]).toEqual(['0', '0', []])
})

test('a privilege that is revoked in between refuses the next step, and what is prepared stays so', async () => {
  const { app, admin, count } = await started()
  const writer = await app.user([])
  const tx = transactionsOf(app, basic(app, writer.name))
  const grant = () => rowsIn(admin, `GRANT INSERT ON TABLE main.t TO USER ${writer.name}`)
  const revoke = () => rowsIn(admin, `REVOKE INSERT ON TABLE main.t FROM USER ${writer.name}`)
  await grant()
  await tx.begin('kept')
  await tx.load('kept', '1,a\n')
  expect((await tx.prepare('kept')).Status).toBe('OK')
  await tx.begin('lost')
  await revoke()
  expect(await tx.commit('kept')).toMatchObject({
    Status: 'FAILED',
    Message: expect.stringContaining('INSERT'),
  })
  expect((await tx.load('lost', '2,b\n')).Message).toContain('INSERT')
  expect([await tx.state('kept'), await tx.state('lost')]).toEqual(['PREPARED', 'ABORTED'])
  expect(await count()).toBe('0')
  await grant()
  expect((await tx.commit('kept')).Status).toBe('OK')
  expect(await count()).toBe('1')
})

test('idle, late and forgotten transactions end by their time, and what is under way does not', async () => {
  const { app, tx, count } = await started()
  const settle = () => app.loads.streams.settleLeft()
  await tx.begin('idle', { idle_transaction_timeout: '5' })
  await tx.begin('late', { timeout: '60' })
  await tx.begin('kept', { idle_transaction_timeout: '5' })
  const open = await tx.open('kept', { expect: '100-continue' })
  open.request.flushHeaders()
  await once(open.request, 'continue')
  app.clock.advance(6 * SECONDS)
  await settle()
  expect([await tx.state('idle'), await tx.state('late'), await tx.state('kept')]).toEqual([
    'ABORTED',
    'PREPARE',
    'PREPARE',
  ])
  expect((await tx.commit('idle')).Message).toContain('No data came for 5 seconds.')
  open.request.end('1,a\n')
  expect((await open.answer).Status).toBe('OK')
  expect((await tx.prepare('kept', { prepared_timeout: '3600' })).Status).toBe('OK')
  app.clock.advance(60 * SECONDS)
  expect((await tx.load('late', '2,b\n')).Message).toContain('It took longer than its timeout.')
  expect(await tx.state('kept')).toBe('PREPARED')
  await app.loads.expire()
  expect(await filesOf(app)).toHaveLength(1)
  app.clock.advance(1 * HOURS)
  await settle()
  expect((await tx.commit('kept')).Message).toContain('It was prepared and not committed in time.')
  expect([await count(), await filesOf(app)]).toEqual(['0', []])
  app.clock.advance(4 * DAYS)
  await app.loads.streams.forgetLabels()
  expect(await tx.state('kept')).toBe('UNKNOWN')
})

test('what is not over is bounded in number, parts and bytes, before any of it comes', async () => {
  const mostStaged = { parts: 3, bytesOfUser: 4 * 1024 * 1024, bytesOfAccount: 5 * 1024 * 1024 }
  const { app, tx, count } = await started({
    transactionLimits: { mostOpen: { ofUser: 2, ofAccount: 3 }, mostStaged },
  })
  await tx.begin('a')
  await tx.begin('b')
  expect((await tx.begin('c')).Message).toContain('2 transactions are not over')
  await tx.rollback('b')
  expect((await tx.begin('c')).Status).toBe('OK')
  for (let at = 0; at < 3; at++) expect((await tx.load('a', `${at},a\n`)).Status).toBe('OK')
  expect((await tx.load('a', '4,a\n')).Message).toContain('has 3 parts, the maximum')
  const large = Buffer.alloc(5 * 1024 * 1024, '1,a\n')
  expect((await tx.load('c', large)).Message).toContain('There is no space for this part')
  expect([await filesOf(app), await count()]).toEqual([[], '0'])
  await tx.begin('d')
  expect((await tx.load('d', large.subarray(0, 3 * 1024 * 1024))).Status).toBe('OK')
  expect((await tx.commit('d')).NumberLoadedRows).toBe(786_432)
})

test('a server that ends in the middle: open ones are rolled back, prepared ones commit, each once [REAL-02]', async () => {
  const { app, tx, rows, count } = await started()
  const { db } = app.store
  const taskOf = async (label: string) =>
    (await db.selectFrom('load_tasks').select('task_id').where('label', '=', label).executeTakeFirstOrThrow())
      .task_id
  const changed = (label: string, change: object) =>
    db.updateTable('load_tasks').set(change).where('label', '=', label).execute()
  // Another server's: nothing is known of it here.
  await tx.begin('open')
  await changed('open', { task_id: randomUUID() })
  await app.loads.streams.settleLeft()
  expect((await tx.load('open', '1,a\n')).Message).toContain('The service ended before it was prepared.')
  // Written down, and never sent.
  for (const label of ['sent', 'unsent', 'direct']) {
    await tx.begin(label)
    await tx.load(label, `1,${label}\n`)
    if (label !== 'direct') await tx.prepare(label)
  }
  await changed('unsent', { stage: 'committing', request_id: 'commit-never' })
  await changed('direct', { stage: 'committing', request_id: 'commit-never' })
  await app.loads.streams.settleLeft()
  expect([await tx.state('unsent'), await tx.state('direct')]).toEqual(['PREPARED', 'ABORTED'])
  expect((await tx.commit('unsent')).NumberLoadedRows).toBe(1)
  // The engine has taken it, and nobody has written that down.
  const taskId = await taskOf('sent')
  const [part] = await db.selectFrom('load_parts').selectAll().where('task_id', '=', taskId).execute()
  const answer = await tx.commit('sent')
  await changed('sent', { state: 'running', stage: 'committing', ended_at: null })
  await db
    .insertInto('load_parts')
    .values({ ...part, part: JSON.stringify(part?.part) } as never)
    .execute()
  expect((await tx.begin('sent')).ExistingJobStatus).toBe('FINISHED')
  expect(await tx.commit('sent')).toMatchObject({ ...answer, LoadTimeMs: expect.any(Number) })
  expect([await rows('SELECT name, count(*) FROM main.t GROUP BY ALL ORDER BY ALL'), await count()]).toEqual([
    [
      ['sent', '1'],
      ['unsent', '1'],
    ],
    '2',
  ])
  expect(await db.selectFrom('load_parts').select('file').execute()).toEqual([])
})

test('CANCEL LOAD and the list of loads know transactions, also prepared ones', async () => {
  const { app, admin, tx, said, count } = await started()
  await tx.begin('gone')
  await tx.load('gone', '1,a\n')
  await tx.prepare('gone')
  const { list } = (await admin.call(loadCalls.list, {})).data
  expect(list).toMatchObject([{ fileName: 'gone', state: 'running', actions: ['drop'], tableName: 't' }])
  expect(await said("CANCEL LOAD FROM main WHERE LABEL = 'gone'")).toBe('')
  expect((await tx.commit('gone')).Message).toContain('The load was cancelled.')
  expect(await said("CANCEL LOAD FROM main WHERE LABEL = 'gone'")).toContain('This load is cancelled')
  expect([await count(), await filesOf(app)]).toEqual(['0', []])
  await tx.begin('gone')
  const open = await tx.open('gone', { expect: '100-continue' })
  open.request.flushHeaders()
  await once(open.request, 'continue')
  open.request.write('1,a\n')
  expect(await said("CANCEL LOAD FROM main WHERE LABEL = 'gone'")).toBe('')
  expect(await open.answer).toMatchObject({ Status: 'FAILED' })
  open.request.destroy()
})
