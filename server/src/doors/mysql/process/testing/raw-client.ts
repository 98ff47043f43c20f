import { type Socket, connect } from 'node:net'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { CAN } from '../wire/flags.ts'
import { PacketReader, type Sequence } from '../wire/packet-reader.ts'
import { PayloadBuilder } from '../wire/payload-builder.ts'
import { ClientGone } from '../wire/protocol-error.ts'

const UTF8MB4 = 45
export const PLAIN_CAPABILITIES =
  CAN.longPassword |
  CAN.protocol41 |
  CAN.secureConnection |
  CAN.pluginAuth |
  CAN.transactions |
  CAN.multiResults

export interface LoginFields {
  readonly capabilities?: number
  readonly user?: string
  readonly plugin?: string
  readonly authData?: Buffer
}

export function loginPacket(fields: LoginFields = {}): Buffer {
  const { capabilities = PLAIN_CAPABILITIES, user = 'ACME.lea', plugin = 'caching_sha2_password' } = fields
  const { authData = Buffer.alloc(32, 1) } = fields
  return new PayloadBuilder()
    .uint32(capabilities)
    .uint32(0x100_0000)
    .byte(UTF8MB4)
    .zeros(23)
    .zeroEndedText(user)
    .byte(authData.length)
    .bytes(authData)
    .zeroEndedText(plugin)
    .build()
}

export function framed(payload: Uint8Array, sequence: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntLE(payload.length, 0, 3)
  head.writeUInt8(sequence, 3)
  return Buffer.concat([head, payload])
}

/** A client that says exactly what a test wants it to say. */
export class RawClient {
  readonly socket: Socket
  readonly sequence: Sequence = { next: 0 }
  readonly #reader: PacketReader
  readonly closed: Promise<unknown>

  constructor(port: number, host = '127.0.0.1') {
    this.socket = connect(port, host)
    this.closed = once(this.socket, 'close')
    this.#reader = new PacketReader({
      sequence: this.sequence,
      mostBytes: 2 ** 31,
      flow: () => undefined,
    })
    // A test may have sent a number of its own.
    this.#reader.checksSequence = false
    this.socket.on('data', (data: Buffer) => this.#reader.push(data))
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => this.#reader.fail(new ClientGone()))
    onTestFinished(() => void this.socket.destroy())
  }

  next(): Promise<Buffer> {
    return this.#reader.next()
  }

  /** With the number that is due, or one of the test's own. */
  send(payload: Uint8Array, sequence = this.sequence.next): void {
    this.sequence.next = (sequence + 1) & 0xff
    this.socket.write(framed(payload, sequence))
  }

  /** A new command, and the first packet of its answer. */
  command(payload: Uint8Array): Promise<Buffer> {
    this.send(payload, 0)
    return this.next()
  }

  /** Where the server takes any scramble. */
  async login(fields: LoginFields = {}): Promise<this> {
    await this.next()
    this.send(loginPacket(fields))
    await this.next()
    const ok = await this.next()
    if (ok[0] !== 0) throw new Error(`The login failed: ${ok.subarray(9).toString()}`)
    return this
  }

  /** Packets up to one that ends a result, or an error. */
  async untilEnd(): Promise<Buffer[]> {
    const packets: Buffer[] = []
    for (;;) {
      const packet = await this.next()
      packets.push(packet)
      if (packet[0] === 0xff || (packet[0] === 0xfe && packet.length < 9)) return packets
    }
  }
}

/** What an error packet says. */
export function errorOf(packet: Buffer): { code: number; sqlState: string; message: string } {
  if (packet[0] !== 0xff) throw new Error(`No error: ${packet.toString('hex')}`)
  return {
    code: packet.readUInt16LE(1),
    sqlState: packet.toString('latin1', 4, 9),
    message: packet.toString('utf8', 9),
  }
}
