import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { load as loadCalls, query } from '@boathouse/contract'
import { STANDARD_QUOTES } from '@boathouse/sql'
import { expect, test } from 'vitest'
import { DAYS } from '../../../testing/fake-clock.ts'
import { filesOf, rowsIn } from '../../../testing/load-kit.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import { basic, begun, portOf, streamed } from '../../../testing/stream-kit.ts'

async function started(definition = 'id BIGINT, name VARCHAR') {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, `CREATE TABLE main.t (${definition})`)
  const rows = (sql = 'SELECT * FROM main.t ORDER BY ALL') => rowsIn(admin, sql)
  return { app, admin, rows }
}

const CSV = { column_separator: ',' }

test('who is nobody, has no privilege or names nothing that is there is refused before the body comes', async () => {
  const { app, admin, rows } = await started()
  const refused = async (headers: Record<string, string>, path?: string) => {
    const { request, answer } = await begun(app, {
      headers: { expect: '100-continue', ...headers },
      ...(path && { path }),
    })
    let isContinued = false
    request.once('continue', () => (isContinued = true))
    request.flushHeaders()
    const { status, body } = await answer
    request.destroy()
    return { status, said: `${body.Status}: ${body.Message}`, isContinued }
  }
  expect(await refused({ authorization: '' })).toMatchObject({ status: 401, isContinued: false })
  expect(await refused({ authorization: basic(app, 'admin', 'Wrong123!') })).toMatchObject({ status: 401 })
  const reader = await app.user([])
  await rowsIn(admin, `GRANT SELECT ON TABLE main.t TO USER ${reader.name}`)
  const asReader = { authorization: basic(app, reader.name) }
  expect(await refused(asReader)).toMatchObject({
    status: 200,
    said: expect.stringMatching(/^Fail: .*INSERT/),
    isContinued: false,
  })
  expect((await refused({}, '/api/main/none/_stream_load')).said).toBe('Fail: There is no table main.none.')
  for (const path of ['/api/main/t%00x/_stream_load', '/api/ma%00in/t/_stream_load'])
    expect((await refused({}, path)).said).toContain('with a NUL character')
  expect((await refused({ enclose: '|', column_separator: '|' })).said).toContain(
    'enclose: It is a part of column_separator',
  )
  expect((await refused({ warehouse: 'none' })).said).toContain('There is no warehouse none')
  expect((await refused({ label: 'x'.repeat(300) })).said).toContain('A label has letters')
  expect((await refused({ columns: 'id, id' })).said).toContain('id is named twice')
  expect((await refused({ columns: 'id,' })).said).toContain('columns: Write names')
  expect((await refused({ format: 'orc' })).said).toContain('Use csv, json, parquet or arrow')
  expect((await refused({ compression: 'rar' })).said).toContain('compression: Use one of')
  expect((await refused({ partial_update: 'true' })).said).toContain('Rows are inserted as a whole')
  expect((await refused({ max_filter_ratio: '2' })).said).toContain('max_filter_ratio')
  expect((await refused({ timezone: 'Mars/Olympus' })).said).toContain('no time zone')
  expect((await refused({ where: 'x'.repeat(9_000) })).said).toContain('the maximum is 8192')
  expect(await rows()).toEqual([])
  expect(await filesOf(app)).toEqual([])
})

test('a header of 100 KB is refused in the form of a load', async () => {
  const { app } = await started()
  const socket = connect(await portOf(app), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`PUT /api/main/t/_stream_load HTTP/1.1\r\nHost: x\r\nwhere: ${'x'.repeat(100_000)}\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  expect(answer).toContain('HTTP/1.1 431')
  const said = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as unknown
  expect(said).toMatchObject({ Status: 'Fail', TxnId: -1, NumberLoadedRows: 0 })
})

test('what is sent in another way than by PUT is refused in the form of a load', async () => {
  const { app } = await started()
  for (const method of ['POST', 'GET', 'DELETE']) {
    const { status, body } = await streamed(app, '', { method })
    expect(status).toBe(405)
    expect(body).toMatchObject({
      Status: 'Fail',
      Message: `Send a stream load with PUT, not with ${method}.`,
    })
  }
})

test('data is loaded once per label, with true numbers, in history and among the load tasks [REAL-02]', async () => {
  const { app, admin, rows } = await started()
  const headers = { ...CSV, label: 'first' }
  const { status, body } = await streamed(app, '1,a\n2,b\n', { headers })
  expect([status, body]).toMatchObject([
    200,
    {
      Status: 'Success',
      Label: 'first',
      Message: 'OK',
      NumberTotalRows: 2,
      NumberLoadedRows: 2,
      NumberFilteredRows: 0,
      NumberUnselectedRows: 0,
      LoadBytes: 8,
    },
  ])
  expect(body.TxnId).toBeGreaterThan(0)
  const again = await streamed(app, '3,c\n', { headers })
  expect(again.body).toMatchObject({
    Status: 'Label Already Exists',
    ExistingJobStatus: 'FINISHED',
    TxnId: body.TxnId,
  })
  expect(await rows()).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ])
  const { list } = (await admin.call(loadCalls.list, {})).data
  expect(list).toMatchObject([
    { fileName: 'first', state: 'finished', rowsLoaded: 2, actions: [], tableName: 't' },
  ])
  expect((await admin.call(loadCalls.drop, { taskId: list[0]?.taskId ?? '' })).message).toContain(
    'until its label expires',
  )
  await app.endsWritten()
  const { entries } = (await admin.call(query.history, { limit: 10 })).data
  expect(entries.find(({ queryId }) => queryId === list[0]?.queryId)).toMatchObject({
    sql: `STREAM LOAD 'first' INTO "default_catalog"."main"."t"`,
    state: 'finished',
    door: 'ingest',
    rows: 2,
  })
  app.clock.advance(4 * DAYS)
  await app.loads.streams.forgetLabels()
  expect((await streamed(app, '3,c\n', { headers })).body.Status).toBe('Success')
  expect(await filesOf(app)).toEqual([])
})

test('of two with one label in the same moment one is loaded, and the other learns of it [REAL-02]', async () => {
  const { app, rows } = await started()
  const headers = { ...CSV, label: 'twin' }
  const one = await begun(app, { headers: { ...headers, expect: '100-continue' } })
  one.request.flushHeaders()
  await once(one.request, 'continue')
  const other = await streamed(app, '2,b\n', { headers })
  expect(other.body).toMatchObject({ Status: 'Label Already Exists', ExistingJobStatus: 'RUNNING' })
  one.request.end('1,a\n')
  expect((await one.answer).body.Status).toBe('Success')
  const many = await Promise.all(
    Array.from({ length: 20 }, () => streamed(app, '3,c\n', { headers: { ...CSV, label: 'crowd' } })),
  )
  expect(many.filter(({ body }) => body.Status === 'Success')).toHaveLength(1)
  expect(await rows()).toEqual([
    ['1', 'a'],
    ['3', 'c'],
  ])
})

test('a body that stops is ended with a reason, and leaves nothing behind', async () => {
  const app = await startApp({}, { engine: 'embedded', streamIdleMs: 200 })
  await rowsIn(await app.admin(), 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const silent = await begun(app, { headers: { ...CSV, label: 'silent' } })
  silent.request.write('1,a\n')
  const { body } = await silent.answer
  expect(body).toMatchObject({ Status: 'Fail', Message: expect.stringContaining('stopped arriving') })
  silent.request.destroy()
  expect(await filesOf(app)).toEqual([])
})

test('a body that is cut off, never ends or lies about its length leaves nothing behind', async () => {
  const { app, admin } = await started()
  const cut = await begun(app, { headers: { ...CSV, label: 'cut', 'content-length': 1_000_000 } })
  cut.request.write('1,a\n'.repeat(100_000))
  await expect.poll(() => filesOf(app)).toHaveLength(1)
  cut.request.destroy()
  await expect.poll(() => filesOf(app)).toEqual([])
  const states = async () =>
    (await admin.call(loadCalls.list, {})).data.list.map(({ fileName, state }) => `${fileName} ${state}`)
  await expect.poll(states).toEqual(['cut failed'])
  const endless = await begun(app, { headers: { ...CSV, label: 'endless', timeout: '1' } })
  const pump = setInterval(() => endless.request.write('1,a\n'), 50)
  expect((await endless.answer).body).toMatchObject({
    Status: 'Fail',
    Message: expect.stringContaining('timeout of 1 s'),
  })
  clearInterval(pump)
  endless.request.destroy()
  // A label that failed can be used again.
  expect((await streamed(app, '1,a\n', { headers: { ...CSV, label: 'cut' } })).body.Status).toBe('Success')
  expect(await rowsIn(admin, 'SELECT count(*) FROM main.t')).toEqual([['1']])
  expect(await filesOf(app)).toEqual([])
})

test('gzip is extracted, and what is no gzip is refused', async () => {
  const { app, rows } = await started()
  const gzip = { ...CSV, 'content-encoding': 'gzip' }
  expect((await streamed(app, gzipSync('1,a\n'), { headers: gzip })).body.NumberLoadedRows).toBe(1)
  expect((await streamed(app, 'no gzip', { headers: gzip })).body.Message).toContain('not gzip')
  expect((await streamed(app, gzipSync('2,b\n').subarray(0, 15), { headers: gzip })).body.Message).toContain(
    'cut off',
  )
  expect(await rows()).toEqual([['1', 'a']])
  expect(await filesOf(app)).toEqual([])
})

test('rejected rows are read under the ErrorURL for a day, by those who may read the table', async () => {
  const { app, admin, rows } = await started('id BIGINT NOT NULL, name VARCHAR')
  const { body } = await streamed(app, '1,a\nx,b\n3\n', { headers: { ...CSV, max_filter_ratio: '0.7' } })
  expect(body).toMatchObject({
    Status: 'Success',
    NumberTotalRows: 3,
    NumberLoadedRows: 1,
    NumberFilteredRows: 2,
  })
  const path = (body.ErrorURL ?? '').replace(/^https?:\/\/[^/]+/, '')
  const errors = async (authorization: string) => {
    const { request, answer } = await begun(app, { path, method: 'GET', headers: { authorization } })
    request.end()
    const answered = await answer
    return [answered.status, answered.body as unknown]
  }
  const [status, text] = await errors(basic(app))
  expect(status).toBe(200)
  expect(text).toContain('id cannot be NULL.')
  expect(text).toContain('Values in the row: 1. Columns: 2.')
  const writer = await app.user([])
  await rowsIn(admin, `GRANT INSERT ON TABLE main.t TO USER ${writer.name}`)
  expect((await errors(basic(app, writer.name)))[0]).toBe(403)
  expect((await errors('Basic bm9ib2R5Om5vYm9keQ=='))[0]).toBe(401)
  expect(await rows()).toEqual([['1', 'a']])
  app.clock.advance(2 * DAYS)
  expect((await errors(basic(app)))[0]).toBe(404)
})

test('a rejected row with NUL is listed with the others, and its load ends with true numbers [REAL-02]', async () => {
  const { app, admin } = await started()
  const { body } = await streamed(app, '1,a\0b\nx,y,z\n2000,c\n', {
    headers: { ...CSV, label: 'nul', max_filter_ratio: '1' },
  })
  expect(body).toMatchObject({ Status: 'Success', NumberLoadedRows: 1, NumberFilteredRows: 2 })
  const path = (body.ErrorURL ?? '').replace(/^https?:\/\/[^/]+/, '')
  const { status, body: text } = await streamed(app, '', { path, method: 'GET' })
  expect([status, text]).toEqual([200, expect.stringContaining('a␀b')])
  expect(text).toContain('Values in the row: 3')
  expect(
    await rowsIn(
      admin,
      `SELECT STATE, SCAN_ROWS, FILTERED_ROWS, REJECTED_RECORD_PATH IS NULL FROM information_schema.loads`,
    ),
  ).toEqual([['FINISHED', '3', '2', 'false']])
})

test.each([
  ['1', 1],
  ['5', 5],
  ['-1', 120],
  [undefined, 100],
])('as many rejected rows are listed as log_rejected_record_num says: %s', async (most, listed) => {
  const { app } = await started()
  const body = Array.from({ length: 120 }, () => 'x,y,z\n').join('')
  const headers = { ...CSV, max_filter_ratio: '1', ...(most && { log_rejected_record_num: most }) }
  const answered = await streamed(app, `1,a\n${body}`, { headers })
  const path = (answered.body.ErrorURL ?? '').replace(/^https?:\/\/[^/]+/, '')
  const text = (await streamed(app, '', { path, method: 'GET' })).body as unknown as string
  expect(text.trim().split('\n')).toHaveLength(listed)
})

test('rows that end with other delimiters, also across chunks, and computed columns', async () => {
  const { app, rows } = await started()
  const { request, answer } = await begun(app, {
    headers: {
      column_separator: String.raw`\x01`,
      row_delimiter: '<EOL>',
      columns: 'id, _n, name = upper(_n)',
    },
  })
  for (const piece of ['1\u0001a<E', 'OL>2\u0001b', '<EOL>3\u0001c']) {
    request.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  request.end()
  expect((await answer).body).toMatchObject({ Status: 'Success', NumberLoadedRows: 3 })
  expect(await rows()).toEqual([
    ['1', 'A'],
    ['2', 'B'],
    ['3', 'C'],
  ])
})

test('a load that a server has left is settled by what the engine noted: once or not at all [REAL-02]', async () => {
  const { app, admin, rows } = await started()
  await streamed(app, '1,a\n', { headers: { ...CSV, label: 'ran' } })
  const left = (label: string, change: object) =>
    app.store.db
      .updateTable('load_tasks')
      .set({ state: 'running', ended_at: null, rows_loaded: null, ...change })
      .where('label', '=', label)
      .execute()
  await left('ran', {})
  expect((await streamed(app, '2,b\n', { headers: { ...CSV, label: 'ran' } })).body).toMatchObject({
    Status: 'Label Already Exists',
    ExistingJobStatus: 'FINISHED',
  })
  await streamed(app, '3,c\n', { headers: { ...CSV, label: 'never' } })
  await left('never', { request_id: null })
  await app.loads.streams.settleLeft()
  const { list } = (await admin.call(loadCalls.list, {})).data
  expect(list.map(({ fileName, state }) => `${fileName} ${state}`).sort()).toEqual([
    'never failed',
    'ran finished',
  ])
  expect(await rows('SELECT count(*) FROM main.t')).toEqual([['2']])
})

test('no call of the product answers where loads are sent, and none is taken for a load', async () => {
  const app: TestApp = await startApp()
  const called = await streamed(app, '{}', {
    path: '/api/task/loads',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  expect(called.body).toMatchObject({ code: expect.any(Number), data: null })
  for (const path of ['/api/task/loads/_stream_load', '/api/user/login/_stream_load'])
    expect((await streamed(app, '1', { path })).body).toMatchObject({ Status: 'Fail' })
})

test('a file that a MySQL client sends goes the same way, and what it cannot do is refused', async () => {
  const { app, rows } = await started()
  const name = `${app.accountId}.admin`
  const from = { door: 'mysql', clientIp: '127.0.0.1' } as const
  const signedIn = await app.plainSignIn.signIn(from, { name, password: app.password })
  const sender = { ...from, known: signedIn.known, now: (version?: number) => signedIn.now(version) }
  const place = { catalog: 'default_catalog', database: 'main', warehouse: null }
  const more = { place, quotes: STANDARD_QUOTES, stop: new AbortController().signal }
  const loadData = (text: string) =>
    app.loads.streams.loadData(sender, { text, ...more }, () =>
      Readable.from([Buffer.from('x;y;z\n1;a;_\n2;b;_\n')]),
    )
  const fields = String.raw`FIELDS TERMINATED BY ';' LINES TERMINATED BY '\n' IGNORE 1 LINES`
  const text = `LOAD DATA LOCAL INFILE 'f' INTO TABLE t ${fields} (id, @name, @rest) SET name = upper(id::VARCHAR)`
  expect(await loadData(text)).toMatchObject({ status: 'loaded', counts: { loaded: 2 } })
  for (const refused of [
    "LOAD DATA INFILE 'f' INTO TABLE t",
    "LOAD DATA LOCAL INFILE 'f' REPLACE INTO TABLE t",
    "LOAD DATA LOCAL INFILE 'f' INTO TABLE t CHARACTER SET latin1",
    "LOAD DATA LOCAL INFILE 'f' INTO TABLE t (id, @x) SET name = @x",
    "LOAD DATA LOCAL INFILE 'f' INTO t",
  ])
    await expect(loadData(refused)).rejects.toThrow('LOAD DATA')
  expect(await rows()).toEqual([
    ['1', '1'],
    ['2', '2'],
  ])
})

test('many small loads in one moment are few transactions, each with its own numbers, label and failure', async () => {
  const { app, admin, rows } = await started()
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      streamed(app, at % 3 === 0 ? `${at},a\n${at},b` : `${at},a\n`, {
        headers: { ...CSV, ...(at % 2 === 0 && { label: `small-${at}` }) },
      }),
    ),
  )
  expect(answers.map(({ body }) => `${body.Status} ${body.NumberLoadedRows}`)).toEqual(
    Array.from({ length: 60 }, (_, at) => `Success ${at % 3 === 0 ? 2 : 1}`),
  )
  expect(answers.filter(({ body }) => body.Label === 'small-4')).toHaveLength(1)
  expect(await rows('SELECT count(*), count(DISTINCT id) FROM main.t')).toEqual([['80', '60']])
  await app.endsWritten()
  const { entries } = (await admin.call(query.history, { limit: 100 })).data
  const loads = entries.filter(({ sql }) => sql.startsWith('STREAM LOAD'))
  expect(loads.length).toBeLessThan(20)
  const { list } = (await admin.call(loadCalls.list, { limit: 100 })).data
  expect(list.reduce((sum, { rowsLoaded }) => sum + (rowsLoaded ?? 0), 0)).toBe(80)
  expect((await streamed(app, '1,x\n', { headers: { ...CSV, label: 'small-4' } })).body.Status).toBe(
    'Label Already Exists',
  )
  const mixed = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      streamed(app, at === 7 ? 'a,b,c\n' : `${1_000 + at},x\n`, {
        headers: { ...CSV, enable_merge_commit: 'true' },
      }),
    ),
  )
  expect(mixed.map(({ body }) => body.Status)).toEqual(
    Array.from({ length: 20 }, (_, at) => (at === 7 ? 'Fail' : 'Success')),
  )
  expect(await rows('SELECT count(*) FROM main.t WHERE id >= 1000')).toEqual([['19']])
  expect(await filesOf(app)).toEqual([])
})
