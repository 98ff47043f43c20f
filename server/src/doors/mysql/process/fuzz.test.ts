import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import { TEXT } from '../../../engines/engine/columns.ts'
import { FUZZ_SEED as SEED, FUZZ_PACKETS as PACKETS, LONG_FORM_MS, Noise } from './testing/noise.ts'
import { SESSION, type ScriptedServer, batchOf, column, scriptedServer } from './testing/scripted-server.ts'
import { RawClient, framed } from './testing/raw-client.ts'
import { CAN, COMMAND } from './wire/flags.ts'

const PER_CLIENT = 100
const AT_ONCE = 8
/** Of a client that hangs up, or is hung up on: it only ends what hangs. */
const CLOSED_WITHIN_MS = 120_000
/** What the process takes without them is 50: noise leaves nothing behind, however much of it there was. */
const MOST_RESIDENT_MIB = 250

const each = (count: number, make: () => Buffer): Buffer[] => Array.from({ length: count }, make)

function answerEverything(server: ScriptedServer): void {
  const noise = new Noise(SEED)
  server.handle = (message) => {
    server.received.length = 0
    if (message.kind !== 'sign-in') return false
    server.send({ kind: 'signed-in', client: message.client, connection: 1, session: SESSION })
    return true
  }
  server.answer = () =>
    noise.oneIn(2) ? [{}] : [{ columns: [column('a', TEXT)], batches: [batchOf([['x'], [null]])] }]
}

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

const QUIT = framed(Buffer.from([COMMAND.quit]), 0)

/** What one client sends from its first byte to its last, and whether it hangs up behind it. */
function conversation(noise: Noise): { readonly bytes: Buffer; readonly hangsUp: boolean } {
  const capabilities = noise.capabilities()
  const login = framed(noise.login(capabilities), 1)
  const count = PER_CLIENT - 1
  switch (noise.below(8)) {
    case 0:
      return {
        bytes: Buffer.concat([
          framed(noise.spoilt(noise.login()), 1),
          ...each(count, () => noise.brokenFrame()),
        ]),
        hangsUp: true,
      }
    case 1:
      return { bytes: Buffer.concat([login, ...each(count, () => noise.brokenFrame())]), hangsUp: true }
    case 2: {
      const packed = framed(noise.login(capabilities | CAN.compress), 1)
      const lots = each(10, () => noise.compressed(Buffer.concat(each(10, () => noise.frame()))))
      return { bytes: Buffer.concat([packed, ...lots]), hangsUp: true }
    }
    default:
      return { bytes: Buffer.concat([login, ...each(count, () => noise.frame()), QUIT]), hangsUp: false }
  }
}

/** Sends noise as a login, or behind one. Says which one it was that did not come to its end. */
function makeNoise(port: number, seed: number): Promise<void> {
  const { bytes, hangsUp } = conversation(new Noise(seed))
  const socket = connect(port, '127.0.0.1')
  socket.resume()
  if (hangsUp) socket.end(bytes)
  else socket.write(bytes)
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error(`The client of seed ${seed} is still connected.`))
      socket.destroy()
    }, CLOSED_WITHIN_MS)
    // It is cut off while it sends.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(late)
      resolve()
    })
  })
}

it(`lives through ${PACKETS} packets of noise (seed ${SEED})`, { timeout: LONG_FORM_MS }, async () => {
  const server = await scriptedServer({ mostUnknownPerAddress: 1000, signInMs: 2_000 })
  answerEverything(server)
  const clients = Math.ceil(PACKETS / PER_CLIENT)
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < clients) await makeNoise(server.port, SEED + next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  expect(server.child.exitCode).toBeNull()
  const client = await new RawClient(server.port).login()
  expect((await client.command(Buffer.from([COMMAND.ping])))[0]).toBe(0)
  // The process reports its figures about once a second.
  await vi.waitFor(() => {
    const commands = server.figures.reduce((sum, figures) => sum + figures.commands, 0)
    expect(commands).toBeGreaterThan(PACKETS / 3)
    expect(server.figures.at(-1)?.open).toBe(1)
  })
  expect(server.figures.some(({ refused }) => 'unexpected' in refused)).toBe(false)
  if (process.platform === 'linux')
    expect(await residentMib(server.child.pid ?? 0)).toBeLessThan(MOST_RESIDENT_MIB)
})
