import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { SESSION, ScriptedServer, scriptedServer } from './testing/scripted-server.ts'
import { PLAIN_CAPABILITIES, RawClient, errorOf, framed, loginPacket } from './testing/raw-client.ts'
import { CAN, COMMAND } from './wire/flags.ts'
import { readChangeUser, readLogin } from './wire/login-packet.ts'
import { skipQueryAttributes } from './wire/parameters.ts'
import { PayloadBuilder } from './wire/payload-builder.ts'
import { PayloadReader } from './wire/payload-reader.ts'

/** Clients that know their password, and want more than their part of the process. */

let server: ScriptedServer
beforeAll(async () => {
  server = await ScriptedServer.start()
})
afterAll(() => server.stop())
beforeEach(() => {
  server.received.length = 0
  server.figures.length = 0
  server.handle = letIn(server)
})

const letIn =
  (to: ScriptedServer): ScriptedServer['handle'] =>
  (message) => {
    if (message.kind !== 'sign-in') return false
    to.send({ kind: 'signed-in', client: message.client, connection: 1, session: SESSION })
    return true
  }

const command = (kind: number, rest: Uint8Array = Buffer.alloc(0)): Buffer =>
  framed(Buffer.concat([Buffer.from([kind]), rest]), 0)

it('serves no more commands of a client that takes no answers', async () => {
  const sent = 60
  const parameters = '?'.repeat(20_000)
  const prepares = Array.from({ length: sent }, () => command(COMMAND.prepare, Buffer.from(parameters)))
  const client = await new RawClient(server.port).login()
  client.socket.pause()
  client.socket.write(Buffer.concat(prepares))
  const described = (): number => server.received.filter(({ kind }) => kind === 'describe').length
  // An answer is half a megabyte: what the systems of both sides take is theirs, behind that nothing is served.
  let [before, quietFor] = [0, 0]
  await vi.waitUntil(() => {
    quietFor = described() === before && before > 0 ? quietFor + 1 : 0
    before = described()
    return quietFor > 10
  })
  expect(described()).toBeLessThan(0.75 * sent)
  client.socket.resume()
  await vi.waitUntil(() => described() === sent)
})

it('gives others their turn between commands that come all at once', async () => {
  const greedy = new RawClient(server.port)
  await greedy.next()
  greedy.send(loginPacket({ capabilities: PLAIN_CAPABILITIES | CAN.compress }))
  await greedy.next()
  await greedy.next()
  const other = await new RawClient(server.port).login()
  const asked: number[] = []
  server.handle = ({ kind, ...message }) => {
    if (kind === 'statistics' && 'client' in message) asked.push(message.client)
    return false
  }
  // Commands without an answer, between two that the server sees.
  const closing = command(COMMAND.closeStatement, Buffer.from([9, 0, 0, 0]))
  const ask = command(COMMAND.statistics)
  const inside = Buffer.concat([ask, Buffer.alloc(closing.length * 60_000, closing), ask])
  const packed = deflateSync(inside)
  const head = Buffer.alloc(7)
  head.writeUIntLE(packed.length, 0, 3)
  head.writeUIntLE(inside.length, 4, 3)
  greedy.socket.resume()
  greedy.socket.write(Buffer.concat([head, packed]))
  const greedyClient = (await server.until('statistics')).client
  const isAskedAgain = (): boolean => asked.filter((client) => client === greedyClient).length === 2
  while (!isAskedAgain()) await other.command(Buffer.from([COMMAND.statistics]))
  const between = asked.slice(asked.indexOf(greedyClient), asked.lastIndexOf(greedyClient))
  expect(between.length).toBeGreaterThan(50)
})

it('unpacks to the length that a compressed packet says, no more and no less', async () => {
  const inside = framed(Buffer.from([COMMAND.ping]), 0)
  const packed = deflateSync(inside)
  for (const said of [inside.length + 1, inside.length - 1, 0xff_ffff]) {
    const client = new RawClient(server.port)
    await client.next()
    client.send(loginPacket({ capabilities: PLAIN_CAPABILITIES | CAN.compress }))
    await client.next()
    await client.next()
    const head = Buffer.alloc(7)
    head.writeUIntLE(packed.length, 0, 3)
    head.writeUIntLE(said, 4, 3)
    client.socket.write(Buffer.concat([head, packed]))
    await client.closed
  }
  await vi.waitFor(() => {
    const refused = server.figures.map((figures) => figures.refused['bad-compression'] ?? 0)
    expect(refused.reduce((sum, count) => sum + count, 0)).toBe(3)
  })
})

it('reads no more attributes and parameters than a client may have', () => {
  const attributes = Buffer.alloc(70_000)
  const change = new PayloadBuilder()
    .byte(COMMAND.changeUser)
    .zeroEndedText('ACME.lea')
    .byte(0)
    .zeroEndedText('')
    .uint16(45)
    .zeroEndedText('caching_sha2_password')
    .lengthEncoded(attributes.length)
    .bytes(attributes)
    .build()
  const capabilities = PLAIN_CAPABILITIES | CAN.connectAttributes
  expect(() => readChangeUser(change, { ...readLogin(loginPacket()), capabilities })).toThrow('Malformed')

  const count = 70_000
  const text = new PayloadBuilder()
    .lengthEncoded(count)
    .lengthEncoded(1)
    .bytes(Buffer.alloc(Math.ceil(count / 8), 0xff))
    .byte(1)
    .bytes(Buffer.alloc(3 * count))
    .build()
  expect(() => skipQueryAttributes(new PayloadReader(text))).toThrow('Malformed')
})

it('refuses a command that is too long before it has come', async () => {
  const small = await scriptedServer({ mostPacketBytes: 2 ** 20 })
  small.handle = letIn(small)
  const client = await new RawClient(small.port).login()
  client.socket.write(Buffer.from([0xff, 0xff, 0xff, 0]))
  client.sequence.next = 1
  expect(errorOf(await client.next()).code).toBe(1153)
  await client.closed
})

it('refuses a text that is too long for the service without asking it', async () => {
  const small = await scriptedServer({ mostTextLength: 100 })
  small.handle = letIn(small)
  const client = await new RawClient(small.port).login()
  for (const kind of [COMMAND.query, COMMAND.prepare]) {
    const refused = await client.command(Buffer.concat([Buffer.from([kind]), Buffer.alloc(101, 'x')]))
    expect(errorOf(refused)).toMatchObject({ code: 1153, message: expect.stringContaining('maximum is 100') })
  }
  expect((await client.command(Buffer.from([COMMAND.ping])))[0]).toBe(0)
  expect(small.received.some(({ kind }) => kind === 'run' || kind === 'describe')).toBe(false)
})
