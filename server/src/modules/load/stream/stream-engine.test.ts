import { gzipSync } from 'node:zlib'
import { CODES, query } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { createEmbeddedProvider, type EmbeddedEngine } from '../../../testing/embedded-engine.ts'
import { arrowBody } from '../../../testing/arrow-bodies.ts'
import { filesOf, rowsIn } from '../../../testing/load-kit.ts'
import { startApp } from '../../../testing/start-app.ts'
import { streamed } from '../../../testing/stream-kit.ts'

const CSV = { column_separator: ',' }

test('a Parquet body is loaded with its types, and an invalid one is refused with nothing left behind', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR, born TIMESTAMP)')
  const rows = `SELECT * FROM (VALUES (9007199254740993, 'Ann', TIMESTAMP '2026-01-02 03:04:05'), (2, NULL, NULL)) v(id, name, born)`
  const [answer] = await (await admin.channel()).run(rows)
  const { data, code } = await admin.call(query.exportResult, {
    queryId: answer?.queryId ?? '',
    format: 'parquet',
  })
  expect(code).toBe(CODES.Ok.code)
  const file = (await app.http.inject(data.url)).rawPayload
  const headers = { format: 'parquet' }
  for (const bad of [Buffer.from('PAR1, but no more than that PAR1'), file.subarray(0, -20), Buffer.alloc(0)])
    expect((await streamed(app, bad, { headers })).body).toMatchObject({
      Status: 'Fail',
      NumberLoadedRows: 0,
    })
  expect(await rowsIn(admin, 'SELECT * FROM main.t')).toEqual([])
  await rowsIn(admin, 'CREATE TABLE main.wider (id BIGINT, weight DOUBLE)')
  const path = '/api/main/wider/_stream_load'
  expect((await streamed(app, file, { path, headers })).body.Message).toBe(
    'The file has no column weight. Name the columns that it has in the header columns.',
  )
  expect((await streamed(app, file, { headers })).body).toMatchObject({
    Status: 'Success',
    NumberTotalRows: 2,
    NumberLoadedRows: 2,
    LoadBytes: file.length,
  })
  expect(await rowsIn(admin, 'SELECT id, name, born::VARCHAR FROM main.t ORDER BY id')).toEqual([
    ['2', null, null],
    ['9007199254740993', 'Ann', '2026-01-02 03:04:05'],
  ])
  expect(await filesOf(app)).toEqual([])
})

test('an Arrow body is loaded with its types, also compressed, and a broken one is refused with nothing left behind', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(
    admin,
    'CREATE TABLE main.t (id BIGINT, u UBIGINT, price DECIMAL(38,4), ns TIMESTAMP_NS, zoned TIMESTAMPTZ, ratio DOUBLE, list INTEGER[], pair STRUCT(x INTEGER, y VARCHAR), map MAP(VARCHAR, INTEGER))',
  )
  const body = arrowBody('stream')
  const headers = { format: 'arrow' }
  const said = async (bytes: Buffer) => (await streamed(app, bytes, { headers })).body
  for (const bad of [body.subarray(0, -20), Buffer.from('id\n1'), Buffer.alloc(0)])
    expect(await said(bad)).toMatchObject({
      Status: 'Fail',
      Message: 'The body is not an Arrow stream, or it was cut off.',
    })
  expect(await said(arrowBody('duration'))).toMatchObject({ Message: expect.stringContaining('column took') })
  expect(await rowsIn(admin, 'SELECT * FROM main.t')).toEqual([])
  expect(await said(body)).toMatchObject({ Status: 'Success', NumberLoadedRows: 2, LoadBytes: body.length })
  const packed = gzipSync(arrowBody('file'))
  const answer = await streamed(app, packed, {
    headers: { ...headers, compression: 'gzip', columns: 'id, u' },
  })
  expect(answer.body).toMatchObject({ Status: 'Success', NumberLoadedRows: 2 })
  expect(
    await rowsIn(
      admin,
      'SELECT id, u, price, ns::VARCHAR, epoch(zoned), ratio, list::VARCHAR, pair::VARCHAR, map::VARCHAR FROM main.t WHERE price IS NOT NULL ORDER BY u',
    ),
  ).toEqual([
    [null, '0', '0.0005', null, null, 'nan', '[]', null, null],
    [
      '9007199254740993',
      '18446744073709551615',
      '-1234567890123456789012345.6789',
      '2026-01-02 03:04:05.123456789',
      '0.0',
      '0.1',
      '[1, NULL]',
      "{'x': 1, 'y': a}",
      '{k=1, l=NULL}',
    ],
  ])
  expect(await filesOf(app)).toEqual([])
})

test('an engine that is killed in the middle of a load has loaded it once or not at all, and the answer is true [REAL-02]', async () => {
  const provider = await createEmbeddedProvider({ cancelDeadlineMs: 500 })
  onTestFinished(() => provider.close())
  const opened: EmbeddedEngine[] = []
  const engines = {
    ...provider,
    open: async (space: Parameters<typeof provider.open>[0]) => {
      const engine = await provider.open(space)
      opened.push(engine)
      return engine
    },
  }
  const app = await startApp({}, { engines })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const kill = () => process.kill(opened.at(-1)?.pid ?? 0, 'SIGKILL')
  const isInEngine = () => [...app.queries.underway(app.accountId).values()].some(({ progress }) => progress)
  const counted = async (name: string) =>
    (await rowsIn(admin, `SELECT count(*) FROM main.t WHERE name = '${name}'`))?.[0]?.[0]

  // So slow that it is not over when the engine is killed.
  const slowly = { columns: 'id, _n, name = CASE WHEN list_sum(range(id, id + 300000)) > 0 THEN _n END' }
  const slow = Array.from({ length: 20_000 }, (_, at) => `${at + 1},slow\n`).join('')
  const killed = streamed(app, slow, { headers: { ...CSV, ...slowly, label: 'slow' } })
  await expect.poll(isInEngine, { timeout: 30_000 }).toBe(true)
  kill()
  expect((await killed).body).toMatchObject({ Status: 'Fail', NumberLoadedRows: 0 })
  expect(await counted('slow')).toBe('0')
  const again = await streamed(app, '1,slow\n', { headers: { ...CSV, label: 'slow' } })
  expect(again.body.Status).toBe('Success')
  expect(await counted('slow')).toBe('1')

  // Whenever these are killed: what is answered is so, and who sends the same again has it once.
  for (const label of ['a', 'b', 'c', 'd']) {
    const send = () =>
      streamed(app, `1,${label}\n2,${label}\n`, {
        headers: { ...CSV, enable_merge_commit: 'false', label },
      })
    const first = send()
    await expect.poll(() => app.queries.underway(app.accountId).size, { interval: 1 }).toBeGreaterThan(0)
    kill()
    const { body } = await first
    if (body.Status === 'Success') expect(await counted(label)).toBe('2')
    await expect
      .poll(async () => {
        const { Status, ExistingJobStatus } = (await send()).body
        return Status === 'Success' || ExistingJobStatus === 'FINISHED'
      })
      .toBe(true)
    expect(await counted(label)).toBe('2')
  }
  expect(await filesOf(app)).toEqual([])
})
