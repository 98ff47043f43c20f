import { expect, it, vi } from 'vitest'
import { TEXT } from '../../../engines/engine/columns.ts'
import { SESSION, type ScriptedServer, batchOf, column, scriptedServer } from './testing/scripted-server.ts'
import { PLAIN_CAPABILITIES, RawClient, framed, loginPacket } from './testing/raw-client.ts'
import { CAN, COMMAND } from './wire/flags.ts'

/** The long form has a million. */
const PACKETS = Number(process.env.BOATHOUSE_FUZZ_PACKETS ?? 20_000)
const SEED = Number(process.env.BOATHOUSE_FUZZ_SEED ?? Date.now() % 1_000_000)
const PER_CLIENT = 100

/** Numbers that a seed brings again. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const below = randomNumbers(SEED)
const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => below(256)))
const KINDS = Object.values(COMMAND).filter((kind) => kind !== COMMAND.quit)

/** A packet that somebody might have sent, with something wrong in it, or only noise. */
function somePacket(): Buffer {
  const kind = KINDS[below(KINDS.length)] ?? 0
  const length = [0, 1, 4, 9, 10, 30, 300][below(7)] ?? 0
  if (below(4) === 0) return bytes(length)
  // Statements have small numbers, so that some of them exist.
  const packet = Buffer.concat([Buffer.from([kind, below(4), 0, 0, 0]), bytes(length)])
  return packet.subarray(0, 1 + below(packet.length))
}

/** What breaks the order of packets itself, now and then. */
const someFrame = (): Buffer => framed(somePacket(), below(200) === 0 ? below(256) : 0)

function brokenFrame(): Buffer {
  const frame = someFrame()
  return below(10) === 0 ? frame.subarray(0, below(frame.length)) : frame
}

const QUIT = framed(Buffer.from([COMMAND.quit]), 0)

function answerEverything(server: ScriptedServer): void {
  server.handle = (message) => {
    server.received.length = 0
    if (message.kind !== 'sign-in') return false
    server.send({ kind: 'signed-in', client: message.client, connection: 1, session: SESSION })
    return true
  }
  server.answer = () =>
    below(2) ? [{}] : [{ columns: [column('a', TEXT)], batches: [batchOf([['x'], [null]])] }]
}

const SOME_CAPABILITIES = [
  PLAIN_CAPABILITIES,
  PLAIN_CAPABILITIES | CAN.deprecateEof | CAN.sessionTrack,
  PLAIN_CAPABILITIES | CAN.queryAttributes | CAN.multiStatements | CAN.localFiles,
]

/** Sends noise as a login, or behind one, and hangs up. */
async function makeNoise(server: ScriptedServer): Promise<void> {
  const client = new RawClient(server.port)
  client.socket.resume()
  const capabilities = SOME_CAPABILITIES[below(SOME_CAPABILITIES.length)] ?? PLAIN_CAPABILITIES
  const login = loginPacket({ capabilities })
  const kind = below(4)
  if (kind === 0) client.socket.end(Buffer.concat([framed(spoilt(login), 1), ...frames(someFrame)]))
  else if (kind === 1) client.socket.end(Buffer.concat([framed(login, 1), ...frames(brokenFrame)]))
  else if (kind === 2) client.socket.end(Buffer.concat([framed(compressing(login), 1), ...frames(someFrame)]))
  // Whole frames, all of which are served unless one is out of order.
  else client.socket.write(Buffer.concat([framed(login, 1), ...frames(someFrame), QUIT]))
  await client.closed
}

const frames = (frame: () => Buffer): Buffer[] => Array.from({ length: PER_CLIENT - 1 }, frame)

function compressing(login: Buffer): Buffer {
  const copy = Buffer.from(login)
  copy.writeUInt32LE(login.readUInt32LE(0) | CAN.compress, 0)
  return copy
}

function spoilt(packet: Buffer): Buffer {
  const copy = Buffer.from(packet)
  for (let at = below(5); at >= 0; at--) copy[below(copy.length)] = below(256)
  return copy.subarray(0, below(2) ? copy.length : below(copy.length))
}

it(`lives through ${PACKETS} packets of noise (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
  const server = await scriptedServer({ mostUnknownPerAddress: 1000, signInMs: 2_000 })
  answerEverything(server)
  for (let sent = 0; sent < PACKETS; sent += 8 * PER_CLIENT)
    await Promise.all(Array.from({ length: 8 }, () => makeNoise(server)))
  expect(server.child.exitCode).toBeNull()
  const client = await new RawClient(server.port).login()
  expect((await client.command(Buffer.from([COMMAND.ping])))[0]).toBe(0)
  // The process reports its figures about once a second.
  await vi.waitFor(
    () => {
      const commands = server.figures.reduce((sum, figures) => sum + figures.commands, 0)
      expect(commands).toBeGreaterThan(PACKETS / 50)
    },
    { timeout: 20_000 },
  )
  expect(server.figures.some(({ refused }) => 'unexpected' in refused)).toBe(false)
})
