import { LIMITS } from '@boathouse/contract'
import { expect, test, vi } from 'vitest'
import { startReceiver } from '../../testing/webhook-receiver.ts'
import { createFetchedFiles } from './fetched-files.ts'

const never = new AbortController().signal

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** A server that was opened, and one beside it that was not. */
async function setUp(silenceMs = 10_000) {
  const opened = await startReceiver()
  const inside = await startReceiver()
  const files = createFetchedFiles({ openEndpoints: [opened.origin], silenceMs })
  const open = (address: string) => files.open(address, never)
  return { opened, inside, open, url: `${opened.origin}/files/orders.csv?sig=1` }
}

test('nothing inside the network of the operator is fetched, however it is written', async () => {
  const { inside, open } = await setUp()
  const inward = [
    'https://127.0.0.1/a.csv',
    'https://127.1/a.csv',
    'https://2130706433/a.csv',
    'https://0x7f.0.0.1/a.csv',
    'https://0.0.0.0/a.csv',
    'https://169.254.169.254/latest/meta-data/iam',
    'https://10.0.0.7/a.csv',
    'https://172.16.0.1/a.csv',
    'https://192.168.1.1/a.csv',
    'https://100.64.0.1/a.csv',
    'https://[::1]/a.csv',
    'https://[::ffff:169.254.169.254]/a.csv',
    'https://[fd00:ec2::254]/a.csv',
    'https://[fe80::1]/a.csv',
    // By name: what it means is looked at when it is connected to.
    'https://localhost/a.csv',
    inside.url,
  ]
  for (const address of inward) await expect(open(address)).rejects.toThrow('it is in a private network')
  expect(inside.received).toEqual([])
})

test('an address of another kind, without TLS or with a password is refused', async () => {
  const { opened, open } = await setUp()
  for (const address of ['file:///etc/passwd', 'ftp://example.com/a', 'data:text/csv,a', 'gopher://a/b'])
    await expect(open(address)).rejects.toThrow('must begin with https://')
  await expect(open('s3://lake/a.csv')).rejects.toThrow('loaded by a pipe')
  await expect(open('http://example.com/a.csv')).rejects.toThrow('it does not use TLS')
  for (const address of ['https://ann:secret@example.com/a', opened.origin.replace('//', '//ann@')])
    await expect(open(address)).rejects.toThrow('user name or a password')
  for (const address of ['', 'orders.csv', 'https://', '//example.com'])
    await expect(open(address)).rejects.toThrow('not complete')
  expect(opened.received).toEqual([])
})

test.each([
  ['inward, by number', (inside: string) => inside, 'private network'],
  ['to the address of keys', () => 'https://169.254.169.254/latest', 'private network'],
  ['inward, by name', () => 'https://localhost/a.csv', 'private network'],
  ['to a file of the server', () => 'file:///etc/passwd', 'must begin with https://'],
  ['with a password', () => 'https://a:b@example.com/a.csv', 'user name or a password'],
  ['without TLS', () => 'http://example.com/a.csv', 'it does not use TLS'],
])('a redirect %s is refused', async (_, to, message) => {
  const { opened, inside, open, url } = await setUp()
  opened.answerWith((response) => void response.writeHead(302, { location: to(inside.url) }).end())
  await expect(open(url)).rejects.toThrow(message)
  expect(inside.received).toEqual([])
})

test('a redirect is followed to where the file is, and not for ever', async () => {
  const { opened, open, url } = await setUp()
  opened.answerWith((response) => {
    if (opened.received.length > 1) response.end('a\n1\n')
    else response.writeHead(307, { location: '/moved/boats.csv' }).end()
  })
  const file = await open(url)
  expect([file.name, await textOf(file.body)]).toEqual(['boats.csv', 'a\n1\n'])
  opened.answerWith((response) => void response.writeHead(302, { location: url }).end())
  await expect(open(url)).rejects.toThrow('leads on more than 5 times')
})

test.each([
  [404, 'there is no file at this address'],
  [401, 'does not give it without a sign-in'],
  [503, 'asks to be left alone'],
  [500, 'answers with the status 500'],
  [204, 'answers with the status 204'],
])('the status %i is said in a sentence', async (status, message) => {
  const { opened, open, url } = await setUp()
  opened.answerStatus(status)
  await expect(open(url)).rejects.toThrow(message)
})

test('a web page in place of the file is refused, by its type and by what it begins with', async () => {
  const { opened, open, url } = await setUp()
  opened.answerWith((response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('a,b'))
  await expect(open(url)).rejects.toThrow('leads to a web page')
  opened.answerWith((response) => void response.end('\uFEFF\n <!DOCTYPE html><html></html>'))
  await expect(open(url)).rejects.toThrow('leads to a web page')
})

test('a body that breaks off, or stops coming, is not taken for the whole', async () => {
  const { opened, open, url } = await setUp(200)
  opened.answerWith((response) => {
    response.writeHead(200, { 'content-length': '2000' })
    response.write('x'.repeat(1_000), () => response.socket?.destroy())
  })
  const cut = await open(url)
  expect(cut.sizeBytes).toBe(2_000)
  await expect(textOf(cut.body)).rejects.toThrow('it hangs up')
  opened.answerWith((response) => void response.write('x'.repeat(1_000)))
  const silent = await open(url)
  expect(silent.sizeBytes).toBeNull()
  await expect(textOf(silent.body)).rejects.toThrow('it does not answer within 0.2 s')
})

test('who leaves a body that never ends closes the connection', async () => {
  const { opened, open, url } = await setUp()
  const closed = vi.fn<() => void>()
  opened.answerWith((response) => {
    response.on('close', closed)
    const more = () => response.write(Buffer.alloc(65_536, 'y'))
    response.on('drain', more)
    more()
  })
  const { body } = await open(url)
  for await (const _ of body) break
  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce())
})

test('a file is named by its server, its address, its type and its first bytes', async () => {
  const { opened, open } = await setUp()
  const nameOf = async (
    path: string,
    headers: Record<string, string>,
    content: string | Buffer = 'a\n1\n',
  ) => {
    opened.answerWith((response) => void response.writeHead(200, headers).end(content))
    return (await open(opened.origin + path)).name
  }
  const gz = Buffer.from([0x1f, 0x8b, 8, 0])
  const zip = Buffer.from('PK\x03\x04rest')
  const named = { 'content-disposition': 'attachment; filename="../../etc/orders.csv"' }
  const coded = { 'content-disposition': "attachment; filename=x; filename*=UTF-8''b%C3%B6je.csv" }
  expect(await nameOf('/a/b%20c.csv?x=1', {})).toBe('b c.csv')
  expect(await nameOf('/export', { 'content-type': 'text/csv; charset=utf-8' })).toBe('export.csv')
  expect(await nameOf('/export', { 'content-type': 'application/json' }, gz)).toBe('export.json.gz')
  expect(await nameOf('/orders.csv', { 'content-encoding': 'gzip' }, gz)).toBe('orders.csv.gz')
  expect(await nameOf('/orders.csv.gz', {}, gz)).toBe('orders.csv.gz')
  expect(await nameOf('/book.xlsx', {}, zip)).toBe('book.xlsx')
  expect(await nameOf('/x', { 'content-type': 'application/octet-stream' }, 'PAR1....')).toBe('x.parquet')
  expect(await nameOf('/x', named)).toBe('orders.csv')
  expect(await nameOf('/x', coded)).toBe('böje.csv')
  expect(await nameOf('/', {})).toBe('download')
  const long = await nameOf(`/${'a'.repeat(400)}`, { 'content-type': 'text/csv' })
  expect([long.length, long.slice(-4)]).toEqual([LIMITS.fileNameLength, '.csv'])
})
