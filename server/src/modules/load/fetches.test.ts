import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { CODES, LIMITS, load } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { filesOf, uploadsOf } from '../../testing/load-kit.ts'
import { startApp, type TestUser } from '../../testing/start-app.ts'
import { startReceiver } from '../../testing/webhook-receiver.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

async function setUp() {
  const server = await startReceiver()
  const app = await startApp({ BOATHOUSE_FILE_ENDPOINTS: server.origin })
  const ann = await app.user([])
  const address = `${server.origin}/orders.csv`
  const fetchIt = (user = ann, from = address) => user.call(load.fetchUpload, { address: from })
  const look = (user: TestUser, uploadId: string) => user.call(load.upload, { uploadId })
  /** The last answer of a file that is not on its way any more. */
  const ended = async (uploadId: string) => {
    await expect.poll(async () => (await look(ann, uploadId)).data?.fetching ?? null).toBeNull()
    return look(ann, uploadId)
  }
  return { app, server, ann, address, fetchIt, look, ended }
}

/** An answer whose first bytes are sent; the test sends the rest. */
async function begun(server: Awaited<ReturnType<typeof startReceiver>>, headers: Record<string, string>) {
  let answering: (response: ServerResponse) => void
  const answer = new Promise<ServerResponse>((resolve) => (answering = resolve))
  server.answerWith((response) => {
    response.writeHead(200, headers).write('x'.repeat(1_000))
    answering(response)
  })
  return answer
}

test('a file from an address is an upload as any other, with what its server sent', async () => {
  const { app, server, ann, fetchIt, ended } = await setUp()
  const content = Buffer.alloc(LIMITS.uploadPartBytes + 20, 'id,paid\n1,2\n')
  server.answerWith((response) => void response.end(content))
  const { data, code } = await fetchIt()
  expect([code, data.name, data.sizeBytes]).toEqual([CODES.Ok.code, 'orders.csv', content.length])
  expect((await ended(data.uploadId)).data).toMatchObject({ complete: true, received: [0, 1] })
  const kept = await readFile(join(uploadsOf(app), data.uploadId))
  expect(kept.equals(content)).toBe(true)
  const other = await app.user([])
  expect((await other.call(load.upload, { uploadId: data.uploadId })).code).toBe(CODES.NotFound.code)
  expect((await ann.call(load.dropUpload, { uploadId: data.uploadId })).code).toBe(CODES.Ok.code)
  expect(await filesOf(app)).toEqual([])
})

test('a file whose size is not said gets it once it is here', async () => {
  const { server, fetchIt, ended } = await setUp()
  server.answerWith((response) => {
    response.write('id\n')
    response.end('1\n')
  })
  const { data } = await fetchIt()
  expect(data.sizeBytes).toBe(LIMITS.fetchedBytesOfUnknownSize)
  expect((await ended(data.uploadId)).data).toMatchObject({ complete: true, sizeBytes: 5, fetching: null })
})

test('what cannot be fetched is refused with a sentence, and nothing is kept', async () => {
  const { app, server, fetchIt, ann } = await setUp()
  const refused = async (address?: string) => {
    const { code, message } = await fetchIt(ann, address)
    expect(code).toBe(CODES.BadInput.code)
    return message
  }
  expect(await refused('https://169.254.169.254/latest')).toContain('it is in a private network')
  expect(await refused('file:///etc/passwd')).toContain('must begin with https://')
  expect(await refused(' ')).toContain('Enter the address of a file')
  expect(await refused(`https://a/${'a'.repeat(LIMITS.fileAddressLength)}`)).toBeTruthy()
  expect(await refused(`${server.origin}/old.xls`)).toContain('You can only load XLSX spreadsheets')
  server.answerWith((response) => void response.end())
  expect(await refused()).toBe('The file could not be fetched: it is empty.')
  server.answerWith((response) => {
    response.writeHead(200, { 'content-length': String(LIMITS.uploadBytes + 1) }).write('x'.repeat(1_000))
  })
  expect(await refused()).toContain('larger than the maximum of 10000 MB')
  expect(await filesOf(app)).toEqual([])
})

test('a file that breaks off is removed, and its user alone learns why', async () => {
  const { app, server, ann, fetchIt, look, ended } = await setUp()
  const answer = begun(server, { 'content-length': '5000' })
  const { data } = await fetchIt()
  expect((await look(ann, data.uploadId)).data).toMatchObject({
    complete: false,
    fetching: { isSizeKnown: true },
  })
  ;(await answer).destroy()
  expect(await ended(data.uploadId)).toMatchObject({
    code: CODES.NotFound.code,
    message: 'The file could not be fetched: it hangs up.',
  })
  const other = await look(await app.user([]), data.uploadId)
  expect(other.message).not.toContain('hangs up')
  expect(await filesOf(app)).toEqual([])
})

test('a file that is dropped while it is fetched is fetched no further', async () => {
  const { app, server, ann, fetchIt } = await setUp()
  const answer = begun(server, {})
  const { data } = await fetchIt()
  const closed = once(await answer, 'close')
  const stranger = await app.user([])
  expect((await stranger.call(load.dropUpload, { uploadId: data.uploadId })).code).toBe(CODES.NotFound.code)
  expect((await ann.call(load.dropUpload, { uploadId: data.uploadId })).code).toBe(CODES.Ok.code)
  await closed
  await expect.poll(() => filesOf(app)).toEqual([])
})

test('a user has a few files on their way, also of those that ask in the same moment', async () => {
  const { app, server, fetchIt } = await setUp()
  server.answerWith((response) => void response.writeHead(200).write('x'.repeat(1_000)))
  const all = await Promise.all(Array.from({ length: LIMITS.fetchesPerUser + 2 }, () => fetchIt()))
  const codes = all.map(({ code }) => code)
  expect(codes.filter((code) => code === CODES.Ok.code)).toHaveLength(LIMITS.fetchesPerUser)
  expect(codes.filter((code) => code === CODES.LimitReached.code)).toHaveLength(2)
  // Another user is not kept waiting by it.
  expect((await fetchIt(await app.user([]))).code).toBe(CODES.Ok.code)
})
