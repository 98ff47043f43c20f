import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { TEXT } from '../../../engines/engine/columns.ts'
import {
  DENIED,
  type MessageOf,
  SESSION,
  ScriptedServer,
  batchOf,
  column,
} from './testing/scripted-server.ts'
import { PLAIN_CAPABILITIES, RawClient, errorOf } from './testing/raw-client.ts'
import { CAN, COMMAND, STATUS } from './wire/flags.ts'
import { PayloadBuilder } from './wire/payload-builder.ts'

let server: ScriptedServer
beforeAll(async () => {
  server = await ScriptedServer.start()
})
afterAll(() => server.stop())
beforeEach(() => {
  server.received.length = 0
  server.answer = () => [{}]
  server.handle = (message) => {
    if (message.kind !== 'sign-in') return false
    server.send({ kind: 'signed-in', client: message.client, connection: 1, session: SESSION })
    return true
  }
})

const login = (capabilities = PLAIN_CAPABILITIES) => new RawClient(server.port).login({ capabilities })
const lastRun = () =>
  server.received.findLast((message): message is MessageOf<'run'> => message.kind === 'run')

const command = (kind: number, text = ''): Buffer => Buffer.concat([Buffer.from([kind]), Buffer.from(text)])
const ofStatement = (kind: number, id: number) => new PayloadBuilder().byte(kind).uint32(id)
const execution = (id: number, flags = 0) => ofStatement(COMMAND.execute, id).byte(flags).uint32(1)

async function prepare(client: RawClient, sql: string): Promise<number> {
  const answer = await client.command(command(COMMAND.prepare, sql))
  expect(answer[0]).toBe(0)
  if (answer.readUInt16LE(7) > 0) await client.untilEnd()
  return answer.readUInt32LE(1)
}

const statusOfEof = (packet: Buffer | undefined): number => packet?.readUInt16LE(3) ?? 0

it('keeps the rows of a cursor, and gives them in parts between other commands', async () => {
  const client = await login()
  const rows = Array.from({ length: 5 }, (_, at) => [`row ${at}`])
  server.answer = () => [
    { columns: [column('a', TEXT)], batches: [batchOf(rows.slice(0, 3)), batchOf(rows.slice(3))] },
  ]
  const id = await prepare(client, 'select a')
  client.send(execution(id, 1).build(), 0)
  const head = await client.untilEnd()
  expect(head).toHaveLength(3)
  expect(statusOfEof(head.at(-1)) & STATUS.cursorExists).toBeTruthy()
  const fetched: string[][] = []
  let status = 0
  while (!(status & STATUS.lastRowSent)) {
    expect((await client.command(command(COMMAND.ping)))[0]).toBe(0)
    client.send(ofStatement(COMMAND.fetch, id).uint32(2).build(), 0)
    const packets = await client.untilEnd()
    status = statusOfEof(packets.at(-1))
    fetched.push(packets.slice(0, -1).map((row) => row.toString('utf8', 3)))
  }
  expect(fetched).toEqual([['row 0', 'row 1'], ['row 2', 'row 3'], ['row 4']])
  client.send(ofStatement(COMMAND.fetch, id).uint32(1).build(), 0)
  expect(errorOf(await client.next()).code).toBe(1421)
})

it('keeps the rows of a large cursor in a file', async () => {
  const client = await login()
  const text = 'x'.repeat(1000)
  const batch = batchOf(Array.from({ length: 256 }, () => [text]))
  server.answer = () => [{ columns: [column('a', TEXT)], batches: Array.from({ length: 12 }, () => batch) }]
  const id = await prepare(client, 'select a')
  client.send(execution(id, 1).build(), 0)
  await client.untilEnd()
  client.send(ofStatement(COMMAND.fetch, id).uint32(0xffff_ffff).build(), 0)
  const packets = await client.untilEnd()
  expect(packets).toHaveLength(12 * 256 + 1)
  expect(packets.at(-2)?.toString('utf8', 5)).toBe(text)
  expect(statusOfEof(packets.at(-1)) & STATUS.lastRowSent).toBeTruthy()
})

it('joins what was sent ahead of a parameter, and forgets it afterwards', async () => {
  const client = await login()
  const id = await prepare(client, 'insert ?')
  const ahead = (text: string) =>
    client.send(ofStatement(COMMAND.longData, id).uint16(0).bytes(Buffer.from(text)).build(), 0)
  ahead('long ')
  ahead('text')
  const typed = execution(id).byte(0).byte(1).byte(0xfd).byte(0)
  expect((await client.command(typed.build()))[0]).toBe(0)
  expect(lastRun()?.parameters).toEqual([{ type: 'text', text: 'long text' }])
  const again = execution(id).byte(0).byte(0).lengthEncodedText('short')
  expect((await client.command(again.build()))[0]).toBe(0)
  expect(lastRun()?.parameters).toEqual([{ type: 'text', text: 'short' }])
})

it('refuses a text whose bytes are no characters, instead of storing others', async () => {
  const client = await login()
  const text = Buffer.concat([command(COMMAND.query, "insert '"), Buffer.from([0xe9]), Buffer.from("'")])
  expect(errorOf(await client.command(text)).code).toBe(1300)
  text[0] = COMMAND.prepare
  expect(errorOf(await client.command(text)).code).toBe(1300)
  expect(server.received.filter(({ kind }) => kind === 'run' || kind === 'describe')).toEqual([])
  const id = await prepare(client, 'insert ?')
  const bytes = execution(id).byte(0).byte(1).byte(0xfd).byte(0).byte(2).byte(0xff).byte(0x5c)
  expect((await client.command(bytes.build()))[0]).toBe(0)
  expect(lastRun()?.parameters).toEqual([{ type: 'bytes', bytes: Uint8Array.of(0xff, 0x5c) }])
})

it('reads binary parameters', async () => {
  const client = await login()
  const id = await prepare(client, 'insert ?, ?, ?, ?, ?, ?')
  const packet = execution(id).byte(0b100000).byte(1)
  const types = [
    [0x01, 0x80],
    [0x03, 0],
    [0x04, 0],
    [0x0a, 0],
    [0x0b, 0],
    [0xfd, 0],
  ] as const
  for (const [type, flag] of types) packet.byte(type).byte(flag)
  const float = Buffer.alloc(4)
  float.writeFloatLE(0.1)
  packet.byte(200).uint32(0xffff_ffff).bytes(float)
  packet.byte(4).uint16(2026).byte(11).byte(17)
  packet.byte(12).byte(1).uint32(1).byte(2).byte(3).byte(4).uint32(500_000)
  expect((await client.command(packet.build()))[0]).toBe(0)
  expect(lastRun()?.parameters).toEqual([
    { type: 'unsigned', text: '200' },
    { type: 'integer', text: '-1' },
    { type: 'double', text: '0.1' },
    { type: 'date', text: '2026-11-17' },
    { type: 'time', text: '-26:03:04.500000' },
    { type: 'null' },
  ])
})

it('reads a text behind its attributes', async () => {
  const client = await login(PLAIN_CAPABILITIES | CAN.queryAttributes)
  const packet = new PayloadBuilder().byte(COMMAND.query).lengthEncoded(1).lengthEncoded(1).byte(0).byte(1)
  packet.byte(0xfd).byte(0).lengthEncodedText('trace').lengthEncodedText('abc').bytes(Buffer.from('select 1'))
  expect((await client.command(packet.build()))[0]).toBe(0)
  expect(lastRun()?.sql).toBe('select 1')
})

it('says what changed in the session to clients that track it', async () => {
  const client = await login(PLAIN_CAPABILITIES | CAN.sessionTrack)
  const session = { ...SESSION, database: 'sales', inTransaction: true, changed: { autocommit: 'OFF' } }
  server.answer = () => [{ ended: { session } }]
  const ok = await client.command(command(COMMAND.query, 'use sales'))
  const status = ok.readUInt16LE(3)
  expect(status & STATUS.sessionChanged).toBeTruthy()
  expect(status & STATUS.inTransaction).toBeTruthy()
  const changes = ok.toString('latin1', 9)
  expect(changes).toContain('\x0aautocommit\x03OFF')
  expect(changes).toContain('\x05sales')
  expect(changes).toContain('T_______')
})

it('ends rows with an OK packet where the client wants no EOF', async () => {
  const client = await login(PLAIN_CAPABILITIES | CAN.deprecateEof)
  server.answer = () => [{ columns: [column('a', TEXT)], batches: [batchOf([['x']])] }]
  client.send(command(COMMAND.query, 'select a'), 0)
  const packets = await client.untilEnd()
  expect(packets.map((packet) => packet[0])).toEqual([1, 3, 1, 0xfe])
  expect(packets.at(-1)).toHaveLength(7)
})

it('enters a database, resets, kills, says its figures, and refuses what it does not know', async () => {
  const client = await login()
  expect((await client.command(command(COMMAND.enterDatabase, 'sales')))[0]).toBe(0)
  expect((await client.command(command(COMMAND.resetConnection)))[0]).toBe(0)
  expect((await client.command(new PayloadBuilder().byte(COMMAND.kill).uint32(77).build()))[0]).toBe(0)
  expect((await client.command(command(COMMAND.statistics))).toString()).toBe('Uptime: 1')
  const { client: number } = await server.until('sign-in')
  const ofClient = server.received.filter((message) => 'client' in message && message.client === number)
  const asked = ofClient.map(({ kind }) => kind)
  expect(asked).toEqual(['sign-in', 'enter', 'reset', 'kill', 'statistics'])
  for (const unknown of [0x05, 0x06, 0x08, COMMAND.debug, 0x12, 0xfa])
    expect(errorOf(await client.command(command(unknown, 'x'))).code).toBe(1047)
  expect(errorOf(await client.command(Buffer.alloc(0))).code).toBe(1047)
})

it('allows several statements from COM_SET_OPTION on', async () => {
  const client = await login()
  await client.command(command(COMMAND.query, 'a'))
  expect(lastRun()?.allowsSeveral).toBe(false)
  expect((await client.command(new PayloadBuilder().byte(COMMAND.setOption).uint16(0).build()))[0]).toBe(0xfe)
  await client.command(command(COMMAND.query, 'a; b'))
  expect(lastRun()?.allowsSeveral).toBe(true)
})

it('becomes another user, without the statements of the first', async () => {
  const client = await login()
  const id = await prepare(client, 'select 1')
  const packet = new PayloadBuilder().byte(COMMAND.changeUser).zeroEndedText('ACME.max').byte(32).zeros(32)
  packet.zeroEndedText('sales').uint16(8).zeroEndedText('caching_sha2_password')
  expect((await client.command(packet.build()))[0]).toBe(1)
  expect((await client.next())[0]).toBe(0)
  expect(server.received.findLast((message) => message.kind === 'sign-in')).toMatchObject({
    user: 'ACME.max',
    database: 'sales',
    collation: 8,
  })
  expect(errorOf(await client.command(execution(id).build())).code).toBe(1243)
})

it('ends a connection whose new user is refused', async () => {
  const client = await login()
  server.handle = (message) => {
    if (message.kind !== 'sign-in') return false
    server.send({ kind: 'refused', client: message.client, error: DENIED })
    return true
  }
  const packet = new PayloadBuilder().byte(COMMAND.changeUser).zeroEndedText('ACME.max').byte(32).zeros(32)
  packet.zeroEndedText('').uint16(45).zeroEndedText('caching_sha2_password')
  expect(errorOf(await client.command(packet.build()))).toEqual(DENIED)
  await client.closed
})

it('ends a connection whose new user proves nothing', async () => {
  const client = await login()
  const packet = new PayloadBuilder().byte(COMMAND.changeUser).zeroEndedText('ACME.max').byte(5).zeros(5)
  packet.zeroEndedText('').uint16(45).zeroEndedText('caching_sha2_password')
  expect([...(await client.command(packet.build()))]).toEqual([1, 4])
  client.send(Buffer.alloc(256))
  expect(errorOf(await client.next()).code).toBe(1835)
  await client.closed
})

it('hands a local file to the server', async () => {
  const client = await login(PLAIN_CAPABILITIES | CAN.localFiles)
  server.answer = ({ client: number }) => {
    server.send({ kind: 'file-wanted', client: number, name: 'orders.csv' })
    return null
  }
  const asked = await client.command(command(COMMAND.query, 'load data local infile'))
  expect(asked.toString('latin1')).toBe('\xfborders.csv')
  const sent = Buffer.alloc(3 * 1024 * 1024, 'row\n')
  for (let from = 0; from < sent.length; from += 500_000) client.send(sent.subarray(from, from + 500_000))
  client.send(Buffer.alloc(0))
  const done = await server.until('file-sent')
  expect(done.error).toBeNull()
  expect(Buffer.concat(server.files.get(done.client) ?? []).equals(sent)).toBe(true)
  server.send({ kind: 'refused', client: done.client, error: DENIED })
  expect(errorOf(await client.next())).toEqual(DENIED)
})

it('takes no local file from a client that did not offer it', async () => {
  const client = await login()
  server.answer = ({ client: number }) => {
    server.send({ kind: 'file-wanted', client: number, name: 'orders.csv' })
    return null
  }
  const answer = client.command(command(COMMAND.query, 'load data local infile'))
  const { error, client: number } = await server.until('file-sent')
  expect(error).toContain('local files')
  server.send({ kind: 'refused', client: number, error: DENIED })
  expect(errorOf(await answer)).toEqual(DENIED)
})

it('takes and sends packets of more than 16 MB', async () => {
  const client = await login()
  const sql = Buffer.alloc(0xff_ffff + 1000, 'x')
  const exact = 'y'.repeat(0xff_ffff - 4)
  server.answer = () => [{ columns: [column('a', TEXT)], batches: [batchOf([[exact]])] }]
  client.send(Buffer.concat([Buffer.from([COMMAND.query]), sql.subarray(1, 0xff_ffff)]), 0)
  client.send(sql.subarray(0xff_ffff))
  await client.untilEnd()
  const packets = await client.untilEnd()
  expect(packets.map(({ length }) => length)).toEqual([0xff_ffff, 5])
  expect(lastRun()?.sql.length).toBe(sql.length - 1)
})
