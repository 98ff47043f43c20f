import { deflateSync } from 'node:zlib'
import { CAN, COMMAND } from '../wire/flags.ts'
import { PayloadBuilder } from '../wire/payload-builder.ts'
import { PLAIN_CAPABILITIES, framed, loginPacket } from './raw-client.ts'

/** The long form has a million, in each of the tests. */
export const FUZZ_PACKETS = Number(process.env['BOATHOUSE_FUZZ_PACKETS'] ?? 20_000)
export const FUZZ_SEED = Number(process.env['BOATHOUSE_FUZZ_SEED'] ?? Date.now() % 1_000_000)
/** On a machine that has much else to do. */
export const LONG_FORM_MS = 3_600_000

/** Packets that somebody might have sent, with something wrong in them, or only noise. A seed brings the same again. */
export class Noise {
  #state: number

  constructor(seed: number) {
    // Neighbours must not be alike.
    this.#state = Math.imul(seed + 1, 2_654_435_761) >>> 0
    for (let skipped = 0; skipped < 4; skipped++) this.below(2)
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * limit)
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0]
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)))
  }

  /** A few bytes are others, and it may end early. */
  spoilt(packet: Buffer): Buffer {
    const copy = Buffer.from(packet)
    for (let left = this.below(4); left > 0 && copy.length > 0; left--)
      copy[this.below(copy.length)] = this.below(256)
    return this.oneIn(3) ? copy.subarray(0, this.below(copy.length + 1)) : copy
  }

  login(capabilities = this.capabilities()): Buffer {
    return loginPacket({ capabilities })
  }

  capabilities(): number {
    return PLAIN_CAPABILITIES | this.pick(FURTHER)
  }

  /** A command that can be read, or hardly. What may end a connection is rare, so that most others are served. */
  command(): Buffer {
    if (this.oneIn(300)) return this.spoilt(this.#changeUser())
    const kind = this.#kind()
    const rest = this.oneIn(4) ? this.bytes(this.pick(LENGTHS)) : this.spoilt(this.#restOf(kind))
    return Buffer.concat([Buffer.from([kind]), rest])
  }

  #kind(): number {
    const any = this.below(256)
    return this.oneIn(40) && !ENDING.has(any) ? any : this.pick(COMMANDS)
  }

  /** Whole, with the number that is due, but for one in many. */
  frame(): Buffer {
    return framed(this.command(), this.oneIn(1000) ? this.below(256) : 0)
  }

  brokenFrame(): Buffer {
    const frame = this.frame()
    return this.oneIn(20) ? frame.subarray(0, this.below(frame.length)) : frame
  }

  /** Frames within a compressed packet, which may say of itself what is not true. */
  compressed(frames: Buffer): Buffer {
    const isPlain = this.oneIn(2)
    const body = isPlain ? frames : this.#perhapsSpoilt(deflateSync(frames))
    const head = Buffer.alloc(7)
    head.writeUIntLE(this.oneIn(50) ? this.below(0x100_0000) : body.length, 0, 3)
    head.writeUInt8(this.below(256), 3)
    const inside = isPlain ? 0 : frames.length
    head.writeUIntLE(this.oneIn(20) ? this.below(0x100_0000) : inside, 4, 3)
    return Buffer.concat([head, body])
  }

  #perhapsSpoilt(bytes: Buffer): Buffer {
    return this.oneIn(10) ? this.spoilt(bytes) : bytes
  }

  /** Statements have small numbers, so that some of them exist. */
  #statement(): PayloadBuilder {
    return new PayloadBuilder().uint32(this.below(4))
  }

  #restOf(kind: number): Buffer {
    const built = this.#statement()
    if (kind === COMMAND.query) return this.#query()
    if (kind === COMMAND.prepare || kind === COMMAND.enterDatabase || kind === COMMAND.listFields)
      return Buffer.from(this.pick(TEXTS))
    if (kind === COMMAND.fetch) return built.uint32(this.below(3)).build()
    if (kind === COMMAND.longData) return built.uint16(this.below(3)).bytes(this.bytes(20)).build()
    if (kind === COMMAND.execute) return this.#execution(built)
    return built.build()
  }

  /** As it is for clients that send attributes; for the others it begins with noise. */
  #query(): Buffer {
    const count = this.below(3)
    const built = new PayloadBuilder().lengthEncoded(count).lengthEncoded(1)
    if (count > 0) this.#parameters(built, count, true)
    return Buffer.concat([this.oneIn(3) ? built.build() : Buffer.alloc(0), Buffer.from(this.pick(TEXTS))])
  }

  #execution(built: PayloadBuilder): Buffer {
    built.byte(this.pick([0, 0, 1, 8, 255])).uint32(1)
    const count = this.below(4)
    if (this.oneIn(3)) built.lengthEncoded(count)
    if (count > 0) this.#parameters(built, count, this.oneIn(3))
    return built.build()
  }

  #parameters(built: PayloadBuilder, count: number, hasNames: boolean): void {
    built.byte(this.oneIn(3) ? this.below(256) : 0).byte(this.oneIn(5) ? 0 : 1)
    const types = Array.from({ length: count }, () => (this.oneIn(4) ? this.below(256) : this.pick(TYPES)))
    for (const type of types) {
      built.byte(type).byte(this.oneIn(2) ? 0x80 : 0)
      if (hasNames) built.lengthEncodedText('name')
    }
    built.bytes(this.bytes(this.below(8 * count + 1)))
  }

  #changeUser(): Buffer {
    return new PayloadBuilder()
      .byte(COMMAND.changeUser)
      .zeroEndedText('ACME.lea')
      .byte(4)
      .bytes(this.bytes(4))
      .zeroEndedText('main')
      .uint16(45)
      .zeroEndedText(this.pick(['caching_sha2_password', 'mysql_native_password', 'none']))
      .build()
  }
}

const FURTHER = [
  0,
  CAN.deprecateEof | CAN.sessionTrack,
  CAN.queryAttributes | CAN.multiStatements | CAN.localFiles,
  CAN.queryAttributes | CAN.deprecateEof | CAN.connectAttributes,
] as const
const ENDING: ReadonlySet<number> = new Set([COMMAND.quit, COMMAND.changeUser])
const COMMANDS = Object.values(COMMAND).filter((kind) => !ENDING.has(kind)) as [number, ...number[]]
const LENGTHS = [0, 1, 4, 9, 10, 30, 300] as const
const TYPES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 0xf6, 0xfc, 0xfd, 0xfe] as const
const TEXTS = ['', 'select ?, ?', 'select ?', 'select 1; select 2', 'x\0y', '\u{1f41a}', 'main\0%'] as const
