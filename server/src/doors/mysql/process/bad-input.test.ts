import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { TEXT } from '../../../engines/engine/columns.ts'
import { LINK_WINDOW_BYTES } from '../link/frames.ts'
import {
  DENIED,
  SESSION,
  ScriptedServer,
  batchOf,
  column,
  scriptedServer,
} from './testing/scripted-server.ts'
import { PLAIN_CAPABILITIES, RawClient, errorOf, framed, loginPacket } from './testing/raw-client.ts'
import { CAN, COMMAND } from './wire/flags.ts'
import { PayloadBuilder } from './wire/payload-builder.ts'
import { ClientGone } from './wire/protocol-error.ts'

/** For those who change no setting. */
let shared: ScriptedServer
beforeAll(async () => {
  shared = await ScriptedServer.start()
})
afterAll(() => shared.stop())
beforeEach(() => {
  shared.received.length = 0
  shared.figures.length = 0
  shared.handle = () => false
})

const QUERY = Buffer.concat([Buffer.from([COMMAND.query]), Buffer.from('select 1')])

function letEverybodyIn(server: ScriptedServer): void {
  server.handle = (message) => {
    if (message.kind !== 'sign-in') return false
    server.send({ kind: 'signed-in', client: message.client, connection: 1, session: SESSION })
    return true
  }
}

const refusedBy = (server: ScriptedServer): Record<string, number> =>
  server.figures.reduce<Record<string, number>>((sum, { refused }) => {
    for (const [cause, count] of Object.entries(refused)) sum[cause] = (sum[cause] ?? 0) + count
    return sum
  }, {})

it('runs nothing that was sent before the sign-in is decided', async () => {
  const server = shared
  server.handle = (message) => message.kind === 'sign-in'
  const client = new RawClient(server.port)
  await client.next()
  client.socket.write(Buffer.concat([framed(loginPacket(), 1), framed(QUERY, 0), framed(QUERY, 0)]))
  const { client: number } = await server.until('sign-in')
  server.send({ kind: 'refused', client: number, error: DENIED })
  expect(errorOf(await client.next())).toEqual(DENIED)
  await client.closed
  await server.until('gone')
  expect(server.received.filter(({ kind }) => kind === 'run')).toEqual([])
})

it('asks for the password itself where a scramble proves nothing, and only with protection', async () => {
  const server = shared
  const native = new RawClient(server.port)
  await native.next()
  native.send(loginPacket({ plugin: 'mysql_native_password', authData: Buffer.alloc(20, 1) }))
  const request = await native.next()
  expect(request[0]).toBe(0xfe)
  expect(request.toString('latin1', 1)).toMatch(/^caching_sha2_password\0/)

  const clear = new RawClient(server.port)
  await clear.next()
  clear.send(loginPacket({ plugin: 'mysql_clear_password', authData: Buffer.from('secret\0') }))
  expect(errorOf(await clear.next()).code).toBe(1045)
  const proofs = server.received.flatMap((message) =>
    message.kind === 'sign-in' ? [message.proof.kind] : [],
  )
  expect(proofs).toEqual(['native-scramble'])
})

it('takes a native scramble where the server does', async () => {
  letEverybodyIn(shared)
  const client = new RawClient(shared.port)
  await client.next()
  client.send(loginPacket({ plugin: 'mysql_native_password', authData: Buffer.alloc(20, 1) }))
  expect((await client.next())[0]).toBe(0)
  expect((await shared.until('sign-in')).proof.kind).toBe('native-scramble')
})

it('refuses packets out of order, too large ones and half logins, and counts them by cause', async () => {
  const server = shared
  const disordered = new RawClient(server.port)
  await disordered.next()
  disordered.send(loginPacket(), 5)
  expect(errorOf(await disordered.next()).code).toBe(1156)

  const large = new RawClient(server.port)
  await large.next()
  large.socket.write(Buffer.from([0x01, 0x00, 0x01, 0x01]))
  expect(errorOf(await large.next()).code).toBe(1153)

  const half = new RawClient(server.port)
  await half.next()
  half.send(loginPacket().subarray(0, 40))
  expect(errorOf(await half.next()).code).toBe(1043)

  const old = new RawClient(server.port)
  await old.next()
  old.send(Buffer.alloc(32))
  expect(errorOf(await old.next()).code).toBe(1043)

  const causes = { 'packets-out-of-order': 1, 'packet-too-large': 1, 'bad-handshake': 2 }
  await vi.waitFor(() => expect(refusedBy(server)).toMatchObject(causes))
})

it('cuts off who does not sign in, in TLS or before it', async () => {
  const server = await scriptedServer({ signInMs: 100 })
  const silent = new RawClient(server.port)
  const inTls = new RawClient(server.port)
  await inTls.next()
  const request = new PayloadBuilder()
    .uint32(PLAIN_CAPABILITIES | CAN.tls)
    .uint32(0)
    .byte(45)
    .zeros(23)
  inTls.send(request.build())
  await Promise.all([silent.closed, inTls.closed])
  await vi.waitFor(() => expect(refusedBy(server)).toMatchObject({ 'sign-in-too-slow': 2 }))
})

it('bounds those at one address who are not signed in, and all together', async () => {
  const server = await scriptedServer({ mostUnknownPerAddress: 2, mostConnections: 3 })
  letEverybodyIn(server)
  const first = new RawClient(server.port)
  const second = new RawClient(server.port)
  await Promise.all([first.next(), second.next()])
  // The oldest gives way: who stalls does not lock others out of its address.
  const third = new RawClient(server.port)
  await Promise.all([third.next(), first.closed])
  second.send(loginPacket())
  third.send(loginPacket())
  for (const client of [second, third])
    expect([(await client.next())[0], (await client.next())[0]]).toEqual([1, 0])
  await new RawClient(server.port).login()
  expect(errorOf(await new RawClient(server.port).next()).code).toBe(1040)
  await vi.waitFor(() =>
    expect(refusedBy(server)).toMatchObject({ 'too-many-unknown': 1, 'too-many-connections': 1 }),
  )
})

it('takes no broken TLS', async () => {
  const client = new RawClient(shared.port)
  await client.next()
  const request = new PayloadBuilder()
    .uint32(PLAIN_CAPABILITIES | CAN.tls)
    .uint32(0)
    .byte(45)
    .zeros(23)
  client.socket.write(Buffer.concat([framed(request.build(), 1), Buffer.alloc(300, 0x41)]))
  await client.closed
  await vi.waitFor(() => expect(refusedBy(shared)).toMatchObject({ 'tls-failed': 1 }))
  await vi.waitFor(() => expect(shared.figures.at(-1)?.open).toBe(0))
})

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address && !address.internal && address.family === 'IPv4')?.address

it.skipIf(!outside)('requires TLS of those who are not on this machine', async () => {
  const server = await scriptedServer({ host: '0.0.0.0', requiresTls: true })
  letEverybodyIn(server)
  await new RawClient(server.port).login()
  const client = new RawClient(server.port, outside)
  await client.next()
  client.send(loginPacket())
  expect(errorOf(await client.next()).code).toBe(3159)
})

it('keeps no more than a window for a client that never reads', async () => {
  const server = shared
  letEverybodyIn(server)
  const batch = batchOf(Array.from({ length: 100 }, () => ['x'.repeat(1000)]))
  let sent = 0
  let granted = 0
  function* endless() {
    for (;;) {
      sent++
      yield batch
    }
  }
  server.answer = () => [{ columns: [column('a', TEXT)], batches: endless() }]
  const client = await new RawClient(server.port).login()
  const { client: number } = await server.until('sign-in')
  client.socket.pause()
  client.send(QUERY, 0)
  // What the systems of both sides take is theirs; behind that, the window is full.
  await vi.waitUntil(() => {
    const before = granted
    granted = server.received.filter(({ kind }) => kind === 'granted').length
    return sent > 1 && server.isFull(number) && before === granted
  })
  expect(server.unread(number)).toBeLessThan(LINK_WINDOW_BYTES + 2 * 110_000)
  client.socket.destroy()
  await server.until('gone')
})

it('bounds the statements that a connection prepares', async () => {
  const server = shared
  letEverybodyIn(server)
  const client = await new RawClient(server.port).login()
  const prepare = Buffer.concat([Buffer.from([COMMAND.prepare]), Buffer.from('select 1')])
  const one = framed(prepare, 0)
  client.socket.write(Buffer.concat(Array.from({ length: 1025 }, () => one)))
  let last: Buffer = Buffer.alloc(0)
  for (let at = 0; at < 1025; at++) {
    client.sequence.next = 1
    last = await client.next()
  }
  expect(errorOf(last).code).toBe(1461)
})

it('hangs up when the server says so: with the error to who waits, and silently to who does not', async () => {
  const server = shared
  letEverybodyIn(server)
  server.answer = () => null
  const waiting = await new RawClient(server.port).login()
  const { client: number } = await server.until('sign-in')
  waiting.send(QUERY, 0)
  await server.until('run')
  const error = { code: 1927, sqlState: '70100', message: 'Connection was killed' }
  server.send({ kind: 'hang-up', client: number, error })
  expect(errorOf(await waiting.next())).toEqual(error)
  await waiting.closed

  const idle = await new RawClient(server.port).login()
  server.send({ kind: 'hang-up', client: number + 1, error })
  await expect(idle.next()).rejects.toBeInstanceOf(ClientGone)
})

it('ends with its link, and lets commands end when it is stopped', async () => {
  const server = await scriptedServer()
  letEverybodyIn(server)
  server.answer = () => null
  const busy = await new RawClient(server.port).login()
  const { client: number } = await server.until('sign-in')
  busy.send(QUERY, 0)
  await server.until('run')
  const idle = await new RawClient(server.port).login()
  server.send({ kind: 'stop' })
  await idle.closed
  const refused = connect(server.port, '127.0.0.1')
  await expect(once(refused, 'connect')).rejects.toThrow('ECONNREFUSED')
  const ended = once(server.child, 'exit')
  server.send({ kind: 'refused', client: number, error: DENIED })
  expect(errorOf(await busy.next())).toEqual(DENIED)
  expect(await ended).toEqual([0, null])
})

it('says why it cannot listen, and which certificate is of no use', async () => {
  const other = await scriptedServer({ port: shared.port })
  expect((await other.until('trouble')).message).toContain(`Port ${shared.port}`)
  const unsafe = await scriptedServer({ certificate: 'no certificate' })
  expect((await unsafe.until('trouble')).message).toContain('certificate')
})
