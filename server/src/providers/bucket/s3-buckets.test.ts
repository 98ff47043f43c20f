import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createRawServer, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import type { OutsideRefused } from '../../kernel/outside.ts'
import type { BucketPlace } from './bucket.ts'
import { createS3Buckets } from './s3-buckets.ts'
import { createOutsideRequests } from './outside-requests.ts'

const NEVER = new AbortController().signal

async function listening(server: { listen: (port: number, host: string) => unknown } & NodeJS.EventEmitter) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server as unknown as { address(): AddressInfo }).address().port}`
}

/** Something at an address of this machine, which is opened to catalogs. */
async function serving(answer: RequestListener, silenceMs = 60_000) {
  const asked: { url: string; headers: Record<string, unknown> }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers })
    answer(request, response)
  })
  const endpoint = await listening(server)
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  return { asked, ...opened(endpoint, silenceMs) }
}

function opened(endpoint: string, silenceMs = 60_000) {
  const requests = createOutsideRequests({ openEndpoints: [endpoint], silenceMs })
  const buckets = createS3Buckets({ requests, clock: systemClock })
  onTestFinished(() => requests.close())
  const place: BucketPlace = {
    endpoint,
    bucket: 'harbour',
    prefix: 'lake/sales',
    region: 'eu-central-1',
    accessKey: 'AKIAEXAMPLE',
    secretKey: 'very-secret',
    sessionToken: '',
  }
  return { buckets, place, endpoint }
}

const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error = (await work.then(
    () => null,
    (reason: unknown) => reason,
  )) as OutsideRefused | null
  return error === null ? 'it was done' : `${error.reason}: ${error.message}`
}

const wanted = { key: 'db/t/a.csv', etag: '"e"', range: { first: 0, last: 3 } }

const listed = (keys: readonly string[], more = '<IsTruncated>false</IsTruncated>') =>
  `<?xml version="1.0"?><ListBucketResult xmlns="x">${more}${keys
    .map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>&quot;e&quot;</ETag><Size>4</Size></Contents>`,
    )
    .join('')}</ListBucketResult>`

test('no name leads out of the prefix, and ambiguous names are never requested', async () => {
  const { buckets, place, asked } = await serving((_, response) => response.end('abcd'))
  for (const key of [
    '',
    '..',
    '../other/x.csv',
    'a/../../other/x.csv',
    'a/./x.csv',
    'a//x.csv',
    '/x.csv',
    'x.csv/',
    'a\\..\\x.csv',
    'a\u0000x.csv',
    'a\r\nhost: evil',
  ])
    expect([key, await refusal(buckets.read(place, { ...wanted, key }, NEVER))]).toEqual([
      key,
      expect.stringMatching(/^missing: it has a name that cannot be asked for$/),
    ])
  expect(asked).toEqual([])
  await refusal(buckets.read(place, { ...wanted, key: 'a?s3_endpoint=evil:80/x%2e%2e#y.csv' }, NEVER))
  expect(asked.map(({ url }) => url)).toEqual([
    '/harbour/lake/sales/a%3Fs3_endpoint%3Devil%3A80/x%252e%252e%23y.csv',
  ])
})

test('an answer that leads on to another host is not followed', async () => {
  let visits = 0
  const other = await serving((_, response) => {
    visits++
    response.end(listed([]))
  })
  for (const status of [301, 302, 303, 307, 308]) {
    const { buckets, place } = await serving((_, response) =>
      response.writeHead(status, { location: `${other.endpoint}/harbour` }).end(),
    )
    const expected = 'refused: it leads on to another place, and that is not followed'
    expect(await refusal(buckets.list(place, null, NEVER))).toBe(expected)
    expect(await refusal(buckets.read(place, wanted, NEVER))).toBe(expected)
  }
  expect(visits).toBe(0)
})

test('nothing in a private network and nothing without TLS is reached unless it was opened', async () => {
  const { place, asked, endpoint } = await serving((_, response) => response.end(listed([])))
  const requests = createOutsideRequests({ openEndpoints: [] })
  const buckets = createS3Buckets({ requests, clock: systemClock })
  onTestFinished(() => requests.close())
  const port = new URL(endpoint).port
  for (const closed of [
    endpoint,
    `https://127.0.0.1:${port}`,
    `https://localhost:${port}`,
    `https://[::1]:${port}`,
    `https://[::ffff:127.0.0.1]:${port}`,
    `https://2130706433:${port}`,
    `https://0x7f.1:${port}`,
    'https://169.254.169.254',
    'https://10.0.0.1',
  ])
    expect([closed, await refusal(buckets.list({ ...place, endpoint: closed }, null, NEVER))]).toEqual([
      closed,
      expect.stringContaining('it is in a private network'),
    ])
  expect(
    await refusal(buckets.list({ ...place, endpoint: 'http://storage.example.com' }, null, NEVER)),
  ).toContain('does not use TLS')
  expect(asked).toEqual([])
})

test('a list of what lies elsewhere, of nonsense or of far too much is not believed', async () => {
  const bodies: Readonly<Record<string, string>> = {
    [listed(['lake/other/db/t/a.csv'])]: 'it names what lies beside the prefix',
    [listed(['lake/salesman/t/a.csv'])]: 'it names what lies beside the prefix',
    '<html>Welcome</html>': 'it is something else',
    '': 'it is something else',
    '{"objects":[]}': 'it is something else',
    [listed(['lake/sales/a/b/c.csv'], '<IsTruncated>true</IsTruncated>')]: 'has no continuation token',
    [listed(['lake/sales/%zz'], '<EncodingType>url</EncodingType>')]: 'a name that cannot be read',
    '<ListBucketResult><Contents></Contents></ListBucketResult>': 'an entry without a name',
    '<ListBucketResult><Contents><Key>lake/sales/a</Key></Contents></ListBucketResult>': 'without a size',
    ['x'.repeat(5 * 1024 * 1024)]: 'its answer is far too long',
  }
  for (const [body, why] of Object.entries(bodies)) {
    const { buckets, place } = await serving((_, response) => response.end(body))
    expect(await refusal(buckets.list(place, null, NEVER))).toContain(why)
  }
})

test('bytes that were not requested are not passed on', async () => {
  for (const [status, headers] of [
    [200, { 'content-length': '4' }],
    [206, { 'content-length': '4' }],
    [206, { 'content-length': '4', 'content-range': 'bytes 4-7/8' }],
    [206, { 'content-length': '2', 'content-range': 'bytes 0-3/8' }],
  ] as const) {
    const { buckets, place } = await serving((_, response) => response.writeHead(status, headers).end('abcd'))
    expect(await refusal(buckets.read(place, wanted, NEVER))).toMatch(/^nonsense: /)
  }
})

test('a server that is down, slow, hangs up or speaks something else is reported as that', async () => {
  const hangsUp = createRawServer((socket: Socket) => socket.destroy())
  const babbles = createRawServer((socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
  for (const server of [hangsUp, babbles]) onTestFinished(() => void server.close())
  const list = ({ buckets, place }: ReturnType<typeof opened>) => refusal(buckets.list(place, null, NEVER))
  expect(await list(opened(await listening(hangsUp)))).toBe('unreachable: it hangs up')
  expect(await list(opened(await listening(babbles)))).toBe('nonsense: it does not speak HTTP')
  hangsUp.close()
  expect(await list(opened('http://127.0.0.1:1'))).toBe('unreachable: no server answers there')
  const silent = await serving(() => undefined, 200)
  expect(await list(silent)).toBe('unreachable: it does not answer within 0.2 s')
  const halting = await serving(
    (_, response) => void response.writeHead(200).write('<ListBucketResult>'),
    200,
  )
  expect(await list(halting)).toContain('unreachable: ')
})

test.each(['a\nb', 'a\r\nhost: evil', '\u2028', 'ключ'])(
  'a key that cannot be sent, such as %j, is refused, and nothing waits for its answer',
  async (sessionToken) => {
    const { buckets, place, asked } = await serving((_, response) => response.end(listed([])))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(await refusal(buckets.list({ ...place, sessionToken }, null, NEVER))).toBe(
      'refused: its keys or its credential have characters that cannot be sent',
    )
    expect(vi.getTimerCount()).toBe(0)
    expect(asked).toEqual([])
  },
)

test('a refusal of the storage is put in words, and nothing else of its answer is repeated', async () => {
  const expected: Readonly<Record<string, readonly [number, string]>> = {
    InvalidAccessKeyId: [403, 'refused: the access key is not known there'],
    SignatureDoesNotMatch: [403, 'refused: the secret key is wrong'],
    ExpiredToken: [400, 'refused: the credentials have expired'],
    AccessDenied: [403, 'refused: the access key may not read it'],
    NoSuchBucket: [404, 'missing: there is no bucket harbour'],
    PreconditionFailed: [412, 'changed: it has changed since it was listed'],
    SlowDown: [503, 'unreachable: it asks to be left alone for a moment'],
    Whatever: [418, 'nonsense: it answers with the error 418'],
  }
  for (const [code, [status, sentence]] of Object.entries(expected)) {
    const body = `<Error><Code>${code}</Code><Message>SECRET of the inner network</Message></Error>`
    const { buckets, place } = await serving((_, response) => response.writeHead(status).end(body))
    expect(await refusal(buckets.list(place, null, NEVER))).toBe(sentence)
    expect(await refusal(buckets.read(place, wanted, NEVER))).toBe(sentence)
  }
  const { buckets, place } = await serving((_, response) =>
    response.writeHead(301, { 'x-amz-bucket-region': 'us-west-2' }).end(),
  )
  expect(await refusal(buckets.list(place, null, NEVER))).toBe(
    'refused: the bucket is in the region us-west-2',
  )
})

test('a list is read page by page, and a file in parts, of the content that was listed alone', async () => {
  const { buckets, place, asked } = await serving((request, response) => {
    if (request.url?.includes('list-type')) {
      const isSecond = request.url.includes('continuation-token=more%2F%2B%3D')
      const more = isSecond
        ? '<IsTruncated>false</IsTruncated>'
        : '<IsTruncated>true</IsTruncated><NextContinuationToken>more/+=</NextContinuationToken>'
      const encodedKeys = isSecond
        ? ['lake/sales/db/t/b%20%2B+%C3%A9.csv']
        : ['lake/sales/db/', 'lake/sales/db/t/a.csv']
      return void response.end(listed(encodedKeys, `<EncodingType>url</EncodingType>${more}`))
    }
    response.writeHead(206, { 'content-length': '4', 'content-range': 'bytes 0-3/9' }).end('abcd')
  })
  const first = await buckets.list(place, null, NEVER)
  expect(first).toEqual({
    next: 'more/+=',
    objects: [{ key: 'db/t/a.csv', size: 4, etag: '"e"', changedAt: new Date('2026-01-02T03:04:05Z') }],
  })
  const second = await buckets.list(place, first.next, NEVER)
  expect(second.objects.map(({ key }) => key)).toEqual(['db/t/b + é.csv'])
  expect(asked[0]?.url).toBe('/harbour/?encoding-type=url&list-type=2&max-keys=1000&prefix=lake%2Fsales%2F')
  const { length, body } = await buckets.read(place, wanted, NEVER)
  expect([length, await text(body)]).toEqual([4, 'abcd'])
  expect(asked.at(-1)).toMatchObject({
    url: '/harbour/lake/sales/db/t/a.csv',
    headers: { range: 'bytes=0-3', 'if-match': '"e"', 'accept-encoding': 'identity' },
  })
  expect(JSON.stringify(asked)).not.toContain('very-secret')
})
