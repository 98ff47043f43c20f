const FIRST_SIZE = 16 * 1024
/** Up to this length a loop is faster than a call that copies. */
const SHORT = 40
const ZERO = 0x30
const MINUS = 0x2d

/** A number that 32 bits hold is divided several times as fast as a larger one. */
const NINE_DIGITS = 1_000_000_000

/** Of all numbers below a hundred, both of their digits. */
const PAIRS = Uint8Array.from({ length: 200 }, (_, at) =>
  at % 2 === 0 ? ZERO + Math.floor(at / 20) : ZERO + (Math.floor(at / 2) % 10),
)

/**
 * UTF-8 text that grows at its end. Room is reserved before something is written: of a million rows, looking for it each
 * time would take longer than writing.
 */
export class TextWriter {
  /** Where the next text begins. */
  length = 0
  private bytes: Uint8Array<ArrayBuffer>

  constructor(size = FIRST_SIZE) {
    this.bytes = new Uint8Array(size)
  }

  /** Room for so many bytes more. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }

  /** All of it, as bytes of its own; the writer is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length)
    this.length = 0
    return taken
  }

  /** Reserves its room itself. */
  text(text: string): void {
    this.reserve(text.length * 3)
    const { bytes, length } = this
    this.length += Buffer.from(bytes.buffer, length).write(text)
  }

  /** Characters below U+0080 only. */
  ascii(text: string): void {
    const { bytes, length } = this
    for (let at = 0; at < text.length; at++) bytes[length + at] = text.charCodeAt(at)
    this.length = length + text.length
  }

  copy(source: Uint8Array, from: number, count: number): void {
    const { bytes, length } = this
    if (count <= SHORT) for (let at = 0; at < count; at++) bytes[length + at] = source[from + at] as number
    else bytes.set(source.subarray(from, from + count), length)
    this.length = length + count
  }

  byte(byte: number): void {
    this.bytes[this.length++] = byte
  }

  /** Leaves room for bytes that are written later. */
  skip(count: number): void {
    this.length += count
  }

  /** Writes a byte where room was left. */
  mark(at: number, byte: number): void {
    this.bytes[at] = byte
  }

  /** Puts characters below U+0080 before what was written from `at` on. */
  insert(at: number, text: string): void {
    const { bytes, length } = this
    bytes.copyWithin(at + text.length, at, length)
    this.length = at
    this.ascii(text)
    this.length = length + text.length
  }

  /** A whole number of at most 53 bits. */
  integer(value: number): void {
    if (value < 0) this.byte(MINUS)
    const absolute = Math.abs(value)
    if (absolute < NINE_DIGITS) return this.shortDigits(absolute | 0, digitsOf(absolute | 0))
    const upper = Math.floor(absolute / NINE_DIGITS)
    this.shortDigits(upper | 0, digitsOf(upper | 0))
    this.shortDigits((absolute - upper * NINE_DIGITS) | 0, 9)
  }

  /** The last `count` digits of a whole number that is not negative, with zeros before it. */
  digits(value: number, count: number): void {
    if (value < NINE_DIGITS && count <= 9) return this.shortDigits(value | 0, count)
    const upper = Math.floor(value / NINE_DIGITS)
    if (count > 9) this.shortDigits(upper | 0, count - 9)
    this.shortDigits((value - upper * NINE_DIGITS) | 0, Math.min(count, 9))
  }

  /** Two digits of a number below 100. */
  pair(value: number): void {
    const { bytes, length } = this
    bytes[length] = PAIRS[2 * value] as number
    bytes[length + 1] = PAIRS[2 * value + 1] as number
    this.length = length + 2
  }

  /** Of a number of at most nine digits, two at a time from its end. */
  private shortDigits(value: number, count: number): void {
    const { bytes, length } = this
    let rest = value
    let at = length + count
    while (at - 2 >= length) {
      const hundredth = (rest / 100) | 0
      const pair = 2 * (rest - hundredth * 100)
      at -= 2
      bytes[at] = PAIRS[pair] as number
      bytes[at + 1] = PAIRS[pair + 1] as number
      rest = hundredth
    }
    if (at > length) bytes[length] = ZERO + (rest % 10)
    this.length = length + count
  }
}

function digitsOf(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4
  if (value < 1_000_000) return value < 100_000 ? 5 : 6
  if (value < 100_000_000) return value < 10_000_000 ? 7 : 8
  return value < 1_000_000_000 ? 9 : 10
}
