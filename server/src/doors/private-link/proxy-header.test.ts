import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { readRanges } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { endpointId, proxyHeader } from '../../testing/private-kit.ts'
import { takeProxyHeader } from './proxy-header.ts'

const HERE = readRanges('127.0.0.0/8') ?? []
const GOOD = proxyHeader('10.20.0.7', endpointId(7))

/** A copy in which one byte, or the length, is another. */
function spoiled(change: (header: Buffer) => void): Buffer {
  const header = Buffer.from(GOOD)
  change(header)
  return header
}

/** What is made of these bytes: who it is and what follows, or why not. */
async function taken(bytes: readonly Buffer[], { from = HERE, withinMs = 30_000, ends = false } = {}) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  const [socket] = await accepted
  socket.on('error', () => undefined)
  client.on('error', () => undefined)
  const answer = takeProxyHeader(socket, { from, withinMs }).then(
    async (who) => {
      const [rest] = (await once(socket, 'data')) as [Buffer]
      return { ...who, rest: rest.toString() }
    },
    (error: unknown) => String(error),
  )
  for (const part of bytes) await new Promise((sent) => client.write(part, sent))
  if (ends) client.end()
  return answer
}

test.each([
  ['nothing of the kind', Buffer.from('GET / HTTP/1.1\r\nhost: here\r\n\r\n'), 'is missing'],
  ['version 1', Buffer.from('PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n'), 'is missing'],
  ['a health check', spoiled((header) => (header[12] = 0x20)), 'is not of a client'],
  ['another version', spoiled((header) => (header[12] = 0x11)), 'is not of a client'],
  ['a socket of another kind', spoiled((header) => (header[13] = 0x31)), 'has no address of TCP'],
  ['datagrams', spoiled((header) => (header[13] = 0x12)), 'has no address of TCP'],
  ['too many bytes', spoiled((header) => header.writeUInt16BE(60_000, 14)), 'is too long'],
  [
    'no addresses',
    Buffer.concat([spoiled((header) => header.writeUInt16BE(0, 14))]),
    'has no address of TCP',
  ],
  ['a field that goes beyond the end', spoiled((header) => header.writeUInt16BE(9_000, 29)), 'in the middle'],
  ['no endpoint', proxyHeader('10.20.0.7'), 'does not name one VPC endpoint'],
  ['two endpoints', proxyHeader('10.20.0.7', endpointId(1), endpointId(2)), 'does not name one VPC endpoint'],
  ['what is no endpoint', proxyHeader('10.20.0.7', 'vpce-<script>'), 'does not name one VPC endpoint'],
])('a header with %s is refused', async (_, header, reason) => {
  expect(await taken([header])).toContain(reason)
})

test('a header is refused that does not come from a load balancer, is cut off, or does not come', async () => {
  expect(await taken([GOOD], { from: readRanges('10.0.0.0/8') ?? [] })).toContain(
    'comes from no load balancer',
  )
  expect(await taken([GOOD.subarray(0, 9)], { ends: true })).toContain('is cut off')
  expect(await taken([GOOD.subarray(0, 30)], { ends: true })).toContain('is cut off')
  expect(await taken([], { withinMs: 20 })).toContain('is cut off')
})

test('it says who the client is and leaves what follows, however it is cut into packets', async () => {
  const all = Buffer.concat([GOOD, Buffer.from('hello')])
  const expected = { ip: '10.20.0.7', endpointId: endpointId(7), rest: 'hello' }
  expect(await taken([all])).toEqual(expected)
  for (const at of [1, 15, 16, 17, 40])
    expect(await taken([all.subarray(0, at), all.subarray(at)])).toEqual(expected)
})
