import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { filesOf, rowsIn, uploadsOf } from '../../../testing/load-kit.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import { basic, portOf, streamed, transactionsOf } from '../../../testing/stream-kit.ts'

const CSV = { column_separator: ',' }

async function started() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const count = async () => (await rowsIn(admin, 'SELECT count(*) FROM main.t'))?.[0]?.[0]
  return { app, admin, count }
}

/** Whether a disk of any size can be made here: by root, where the system lets it. */
const canMount = (() => {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return process.getuid?.() === 0
  } catch {
    return false
  }
})()

test.skipIf(!canMount)(
  'a disk that fills refuses the load and the transaction, and nothing of them is left (needs root to mount one)',
  async () => {
    const { app, count } = await started()
    const uploads = uploadsOf(app)
    await mkdir(uploads, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', uploads])
    let isMounted = true
    const unmount = () => {
      if (isMounted) execFileSync('umount', ['-l', uploads])
      isMounted = false
    }
    onTestFinished(unmount)
    const large = Buffer.alloc(4_000_000, '1,a\n')
    expect((await streamed(app, large, { headers: { ...CSV, label: 'full' } })).body).toMatchObject({
      Status: 'Fail',
      Message: expect.stringContaining('The disk of the service'),
      NumberLoadedRows: 0,
    })
    const tx = transactionsOf(app)
    await tx.begin('full')
    expect((await tx.load('full', large)).Message).toContain('The disk of the service')
    expect((await tx.commit('full')).Message).toContain('It was rolled back.')
    expect([await filesOf(app), await count()]).toEqual([[], '0'])
    unmount()
    expect((await streamed(app, '1,a\n', { headers: { ...CSV, label: 'full' } })).body.Status).toBe('Success')
  },
)

/** Sends these bytes as they are, and ends its own side of the connection if `ends`. */
async function sentRaw(
  app: TestApp,
  headers: readonly string[],
  body: string,
  ends = false,
): Promise<string> {
  const socket = connect({ port: await portOf(app), host: '127.0.0.1', allowHalfOpen: true })
  const first = 'PUT /api/main/t/_stream_load HTTP/1.1'
  const head = [first, 'Host: x', `Authorization: ${basic(app)}`, 'column_separator: ,', ...headers]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  if (ends) socket.end()
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  socket.destroy()
  return answer
}

test('a body that is longer than it says is loaded up to there or not at all, and its sender gets no untrue answer', async () => {
  const { app, count } = await started()
  const answer = await sentRaw(app, ['label: long', 'Content-Length: 4'], '1,a\n2,b\n3,c\n')
  // Whether its body had been loaded when the rest was read is chance; a part of it never is.
  const isLoaded = answer.includes('"Status":"Success"')
  if (!isLoaded)
    expect(answer).toContain('The body is longer than its Content-Length says. Nothing was loaded.')
  expect(await count()).toBe(isLoaded ? '1' : '0')
})

test('a body that is shorter than it says, or whose chunks are broken, is answered and leaves nothing behind', async () => {
  const { app, count } = await started()
  const cutOff = 'The body was cut off before its end. Nothing was loaded.'
  const chunked = ['label: broken', 'Transfer-Encoding: chunked']
  expect(await sentRaw(app, ['label: short', 'Content-Length: 1000'], '1,a\n2,b\n', true)).toContain(cutOff)
  expect(await sentRaw(app, chunked, '4\r\n1,a\n\r\n', true)).toContain(cutOff)
  expect(await sentRaw(app, chunked, '4\r\n1,a\n\r\nzz\r\n')).toContain(cutOff)
  expect([await filesOf(app), await count()]).toEqual([[], '0'])
  const again = await streamed(app, '1,a\n', { headers: { ...CSV, label: 'broken' } })
  expect(again.body.Status).toBe('Success')
})

/** Made with the bzip2 and lz4 libraries of Python, one row each. */
const SMALL = {
  bzip2: 'QlpoOTFBWSZTWVev2MUAAAFZAAAQAAQgACAAIAAhmmgzTRc8XckU4UJBXr9jFA==',
  lz4: 'BCJNGGxABAAAAAAAAAAZBAAAgDEsYQoAAAAAdPDG1w==',
}

test('lz4 and bzip2 bodies are read, also in transactions, and refused when they are something else', async () => {
  const { app, count } = await started()
  const tx = transactionsOf(app)
  await tx.begin('packed')
  for (const compression of ['bzip2', 'lz4'] as const) {
    const body = Buffer.from(SMALL[compression], 'base64')
    const headers = { ...CSV, compression }
    expect((await streamed(app, body, { headers })).body).toMatchObject({ NumberLoadedRows: 1 })
    expect((await streamed(app, body.subarray(0, -3), { headers })).body.Message).toBe(
      `The body is not ${compression}, or it was cut off.`,
    )
    expect((await tx.load('packed', body, { compression })).Status).toBe('OK')
  }
  expect((await tx.commit('packed')).NumberLoadedRows).toBe(2)
  expect([await count(), await filesOf(app)]).toEqual(['4', []])
})

test('a mark of the byte order is no part of JSON or CSV, wherever the body is cut into pieces', async () => {
  const { app, admin } = await started()
  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  const json = Buffer.concat([mark, Buffer.from('{"id": 1, "name": "a"}\n')])
  expect((await streamed(app, json, { headers: { format: 'json' } })).body.NumberLoadedRows).toBe(1)
  const list = Buffer.concat([mark, Buffer.from('[{"id": 2, "name": "b"}]')])
  expect((await streamed(app, list, { headers: { format: 'json' } })).body.NumberLoadedRows).toBe(1)
  const csv = Buffer.concat([mark, Buffer.from('3,c\n')])
  expect((await streamed(app, csv, { headers: CSV })).body.NumberLoadedRows).toBe(1)
  expect((await streamed(app, mark.subarray(0, 2), { headers: CSV })).body.Status).toBe('Fail')
  expect(await rowsIn(admin, 'SELECT * FROM main.t ORDER BY id')).toEqual([
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'c'],
  ])
})
