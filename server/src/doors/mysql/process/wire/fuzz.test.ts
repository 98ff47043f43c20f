import { expect, it } from 'vitest'
import { FUZZ_PACKETS, FUZZ_SEED, LONG_FORM_MS, Noise } from '../testing/noise.ts'
import { loginPacket } from '../testing/raw-client.ts'
import { readChangeUser, readLogin } from './login-packet.ts'
import { PacketReader } from './packet-reader.ts'
import { readTypes, readValues, skipQueryAttributes } from './parameters.ts'
import { PayloadReader } from './payload-reader.ts'
import { ProtocolError } from './protocol-error.ts'

const PER_LOT = 100
const LOGIN = readLogin(loginPacket())

function readExecution(packet: Buffer): unknown {
  const reader = new PayloadReader(packet, Math.min(10, packet.length))
  const nulls = reader.bytes(1)
  const types = readTypes(reader, reader.byte(), false)
  return readValues(reader, { types, nulls, charset: 'utf8mb4', longData: new Map() })
}

const WAYS: readonly ((packet: Buffer) => unknown)[] = [
  readLogin,
  (packet) => readChangeUser(packet, { ...LOGIN, capabilities: 0xffff_ffff }),
  (packet) => skipQueryAttributes(new PayloadReader(packet, Math.min(1, packet.length))),
  readExecution,
]

/** Fails with anything but a protocol error. */
function isRefused(read: () => unknown): boolean {
  try {
    read()
    return false
  } catch (error) {
    if (error instanceof ProtocolError) return true
    throw error
  }
}

/** The packets of a stream that arrives in pieces, until it ends or nobody can read on. */
async function packetsOf(stream: Buffer, noise: Noise): Promise<readonly Buffer[]> {
  const sequence = { next: 0 }
  const reader = new PacketReader({ sequence, mostBytes: 2 ** 20, flow: () => undefined })
  for (let from = 0, piece = 0; from < stream.length; from += piece) {
    piece = 1 + noise.below(3_000)
    reader.push(stream.subarray(from, from + piece))
  }
  const packets: Buffer[] = []
  try {
    for (;;) {
      sequence.next = 0
      const next = reader.next()
      // What is whole is given at once.
      reader.fail(new ProtocolError(0, '', 'Nothing more comes.'))
      packets.push(await next)
    }
  } catch (error) {
    if (error instanceof ProtocolError) return packets
    throw error
  }
}

it(
  `reads ${FUZZ_PACKETS} packets of noise, or refuses them (seed ${FUZZ_SEED})`,
  { timeout: LONG_FORM_MS },
  async () => {
    let [made, read, refused] = [0, 0, 0]
    for (let lot = 0; made < FUZZ_PACKETS; lot++) {
      const noise = new Noise(FUZZ_SEED + lot)
      const frames = Array.from({ length: PER_LOT }, () => noise.brokenFrame())
      made += PER_LOT
      for (const packet of await packetsOf(Buffer.concat(frames), noise)) {
        read++
        refused += WAYS.filter((way) => isRefused(() => way(packet))).length
      }
    }
    // Not all noise is worthless, and hardly any of it can be read in every way.
    expect(read).toBeGreaterThan(FUZZ_PACKETS / 10)
    expect(refused).toBeGreaterThan(read)
  },
)
