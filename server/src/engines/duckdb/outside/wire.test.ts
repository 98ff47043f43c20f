import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { connect as connectHttp2 } from 'node:http2'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { type Outside, OutsideRefused, type WantedObject } from '../../../kernel/outside.ts'
import { MemoryOutside } from '../../../testing/memory-outside.ts'
import { askOutside } from './ask-outside.ts'
import { serveOutside } from './serve-outside.ts'

const NEVER = new AbortController().signal

/** Two ends of a line, as the pipe between a server and an engine's process. */
async function line(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const one = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [other] = (await once(server, 'connection')) as [Socket]
  server.close()
  onTestFinished(() => void (one.destroy(), other.destroy()))
  return [one, other]
}

async function between(outside: Outside) {
  const [engine, server] = await line()
  const troubles: unknown[] = []
  serveOutside(server, outside, (error) => troubles.push(error))
  const asking = askOutside(engine)
  onTestFinished(() => asking.close())
  return { asking, troubles }
}

test('lists and files come as they are, and refusals with their reasons', async () => {
  const outside = new MemoryOutside()
  outside.put('c', { 'db/t/a é&=?.csv': 'abcdefgh', 'db/t/b.csv': 'b', 'db/t/c.csv': 'c' })
  const { asking } = await between(outside)
  const first = await asking.list('c', null, NEVER)
  expect(first.objects.map(({ key }) => key)).toEqual(['db/t/a é&=?.csv', 'db/t/b.csv'])
  expect(first.objects[0]?.changedAt).toEqual(new Date(0))
  expect((await asking.list('c', first.next, NEVER)).next).toBeNull()
  const { key = '', etag = '' } = first.objects[0] ?? {}
  const read = async (wanted: WantedObject) => {
    const { length, body } = await asking.read('c', wanted, NEVER)
    const bytes = await buffer(body)
    return [length, bytes.toString()]
  }
  expect(await read({ key, etag, range: { first: 2, last: 4 } })).toEqual([3, 'cde'])
  expect(await read({ key, etag, range: null })).toEqual([8, 'abcdefgh'])
  await expect(asking.list('other', null, NEVER)).rejects.toMatchObject({
    reason: 'missing',
    message: 'there is no such catalog',
  })
  await expect(asking.read('c', { key, etag: '"old"', range: null }, NEVER)).rejects.toMatchObject({
    reason: 'changed',
  })
})

test('a failure of the service is reported without its words, which only the operator sees', async () => {
  const failure = new Error('password of the database is hunter2')
  const { asking, troubles } = await between({
    list: () => Promise.reject(failure),
    tables: () => Promise.reject(failure),
    files: () => Promise.reject(failure),
    read: () => Promise.reject(failure),
  })
  await expect(asking.list('c', null, NEVER)).rejects.toMatchObject({
    reason: 'unreachable',
    message: 'the service has failed to read it',
  })
  expect(troubles).toEqual([failure])
})

test('an engine that asks for nonsense is refused, and can say nothing but list, tables, files and read', async () => {
  const [engine, server] = await line()
  const outside = new MemoryOutside()
  outside.put('c', { 'a/b/c.csv': 'x' })
  serveOutside(server, outside, () => undefined)
  const session = connectHttp2('http://service', { createConnection: () => engine })
  onTestFinished(() => session.destroy())
  const status = async (path: string, method = 'GET') => {
    const stream = session.request({ ':path': path, ':method': method })
    const [headers] = (await once(stream, 'response')) as [{ ':status': number }]
    stream.resume()
    return headers[':status']
  }
  for (const path of [
    '/',
    '/write?catalog=c&key=a/b/c.csv',
    '/read?catalog=c&key=a/b/c.csv&first=5&last=2',
    '/read?catalog=c&key=a/b/c.csv&first=-1&last=2',
    '/read?catalog=c&key=a/b/c.csv&first=x',
    '/read',
    '/list',
    '//evil/list?catalog=c',
  ])
    expect([path, await status(path)]).toEqual([path, 502])
  expect(await status('/list?catalog=c')).toBe(200)
})

test('a content that no header can name is asked for by nobody', async () => {
  const never = () => Promise.reject(new Error('it was asked for'))
  const { asking, troubles } = await between({ list: never, tables: never, files: never, read: never })
  for (const etag of ['"a\nb"', '"a b"', '"é"', '"\u2028"', `"${'x'.repeat(200)}"`])
    await expect(asking.read('c', { key: 'k', etag, range: null }, NEVER)).rejects.toMatchObject({
      reason: 'changed',
      message: 'it was not listed with such a content',
    })
  expect(troubles).toEqual([])
})

test('a reader that does not take a file is not sent all of it, and one that leaves ends the reading', async () => {
  const chunk = Buffer.alloc(64 * 1024)
  let made = 0
  let closed: (() => void) | undefined
  const isClosed = new Promise<void>((resolve) => (closed = resolve))
  const { asking } = await between({
    list: () => Promise.reject(new OutsideRefused('missing', '')),
    tables: () => Promise.reject(new OutsideRefused('missing', '')),
    files: () => Promise.reject(new OutsideRefused('missing', '')),
    async read() {
      const body = new Readable({
        read() {
          made += chunk.length
          this.push(chunk)
        },
        destroy(_error, done) {
          closed?.()
          done(null)
        },
      })
      return { length: 1024 * 1024 * 1024, body }
    },
  })
  const leave = new AbortController()
  const { body } = await asking.read('c', { key: 'k', etag: '', range: null }, leave.signal)
  body.on('error', () => undefined)
  await once(body, 'readable')
  // It has stood still when nothing more was made between two looks.
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = made === before
        before = made
        return isStill
      },
      { interval: 200, timeout: 20_000 },
    )
    .toBe(true)
  expect(made).toBeLessThan(16 * 1024 * 1024)
  leave.abort()
  await isClosed
})
