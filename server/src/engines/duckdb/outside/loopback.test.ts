import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { OutsideRefused } from '../../../kernel/outside.ts'
import { MemoryOutside } from '../../../testing/memory-outside.ts'
import { SCAN_LIMITS } from '../folders/layout.ts'
import { openLoopback } from './loopback.ts'
import { ObjectLayout } from './object-layout.ts'

const [MINE, OTHER] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']

async function setUp() {
  const outside = new MemoryOutside()
  outside.put(MINE, { 'db/t/a.csv': 'abcdefgh', 'db/t/d=New%20York/b é.csv': 'x', 'top.csv': 'no' })
  outside.put(OTHER, { 'db/t/secret.csv': 'secret' })
  const loopback = await openLoopback(outside)
  onTestFinished(() => loopback.close())
  const mount = loopback.mount(MINE)
  const layout = new ObjectLayout(mount.base, SCAN_LIMITS)
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page = await outside.list(MINE, after)
    for (const object of page.objects) layout.add(object)
    after = page.next
  }
  const { files } = layout.content()
  mount.show(files)
  return { outside, loopback, mount, files }
}

/** The path as it is written: `fetch` would tidy it up. */
function ask(address: string, path: string, { method = 'GET', headers = {} } = {}) {
  const { hostname, port } = new URL(address)
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      request({ host: hostname, port, path, method, headers }, (answer) => {
        text(answer).then(
          (body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
          reject,
        )
      })
        .once('error', reject)
        .end()
    },
  )
}

test('only files of the last list are there, by exactly the name that they were given', async () => {
  const { loopback, outside, mount } = await setUp()
  for (const path of [
    '/',
    `/${MINE}`,
    `/${MINE}/`,
    `/${MINE}/top.csv`,
    `/${MINE}/db/t/`,
    `/${MINE}/db/t/other.csv`,
    `/${MINE}/db/t/../t/a.csv`,
    `/${MINE}/db/t/%61.csv`,
    `/${MINE}/db/t/a.csv?s3_endpoint=evil:80`,
    `/${MINE}//db/t/a.csv`,
    `/${MINE}/../${OTHER}/db/t/secret.csv`,
    `/${OTHER}/db/t/secret.csv`,
    `/../${OTHER}/db/t/secret.csv`,
  ])
    for (const method of ['GET', 'HEAD'])
      expect([path, method, (await ask(loopback.address, path, { method })).status]).toEqual([
        path,
        method,
        404,
      ])
  for (const method of ['PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'])
    expect((await ask(loopback.address, `/${MINE}/db/t/a.csv`, { method })).status).toBe(405)
  expect(outside.asked).toEqual([])
  mount.show(new Map())
  expect((await ask(loopback.address, `/${MINE}/db/t/a.csv`)).status).toBe(404)
})

test('the size of a file is known from the list, and its content is given whole or in parts', async () => {
  const { loopback, outside } = await setUp()
  const path = `/${MINE}/db/t/a.csv`
  const head = await ask(loopback.address, path, { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': '8', 'accept-ranges': 'bytes' } })
  expect(outside.asked).toEqual([])
  expect(await ask(loopback.address, path)).toMatchObject({ status: 200, body: 'abcdefgh' })
  const part = (range: string) => ask(loopback.address, path, { headers: { range } })
  expect(await part('bytes=2-4')).toMatchObject({
    status: 206,
    body: 'cde',
    headers: { 'content-range': 'bytes 2-4/8', etag: head.headers['etag'] },
  })
  expect(await part('bytes=6-')).toMatchObject({ status: 206, body: 'gh' })
  expect(await part('bytes=6-100')).toMatchObject({ status: 206, body: 'gh' })
  for (const range of ['bytes=8-9', 'bytes=4-2', 'bytes=-3', 'bytes=0-1,3-4', 'nonsense'])
    expect([range, (await part(range)).status]).toEqual([range, 416])
  expect((await ask(loopback.address, `/${MINE}/db/t/d=New%20York/b%20%C3%A9.csv`)).body).toBe('x')
})

test('why a file was not read is said in words where DuckDB has a number', async () => {
  const { loopback, outside, mount } = await setUp()
  outside.refuses = new OutsideRefused('refused', 'the credentials have expired')
  expect((await ask(loopback.address, `/${MINE}/db/t/a.csv`)).status).toBe(403)
  const name = `${mount.base}/db/t/a.csv`
  expect(mount.explained(`HTTP GET error on '${name}' (HTTP 403)`)).toBe(
    `The file ${name} cannot be read: the credentials have expired.`,
  )
  expect(mount.explained('Conversion Error')).toBe('Conversion Error')
  outside.refuses = null
  outside.put(MINE, { 'db/t/a.csv': 'ABCDEFGH' })
  expect((await ask(loopback.address, `/${MINE}/db/t/a.csv`)).status).toBe(412)
})

test('what waits too long is given up', async () => {
  const { loopback, outside } = await setUp()
  const asked = new Promise<void>((resolve) => {
    outside.beforeRead = () => (resolve(), new Promise(() => undefined))
  })
  const answer = ask(loopback.address, `/${MINE}/db/t/a.csv`)
  await asked
  loopback.giveUp(performance.now() - 60_000)
  loopback.giveUp(performance.now() + 1)
  expect((await answer).status).toBe(504)
})
