const FIRST_SIZE = 16 * 1024
/** Up to this length a loop is faster than a call that copies. */
const SHORT = 24
const ZERO = 0x30
const MINUS = 0x2d

/** UTF-8 text that grows at its end. */
export class TextWriter {
  /** Where the next text begins. */
  length = 0
  private bytes = Buffer.allocUnsafe(FIRST_SIZE)

  /** All of it, as bytes of its own; the writer is empty afterwards. */
  take(): Uint8Array {
    const taken = new Uint8Array(this.length)
    taken.set(this.bytes.subarray(0, this.length))
    this.length = 0
    return taken
  }

  text(text: string): void {
    this.reserve(text.length * 3)
    this.length += this.bytes.write(text, this.length)
  }

  /** Characters below U+0080 only. */
  ascii(text: string): void {
    this.reserve(text.length)
    const { bytes } = this
    let { length } = this
    for (let at = 0; at < text.length; at++) bytes[length++] = text.charCodeAt(at)
    this.length = length
  }

  copy(source: Uint8Array, from: number, count: number): void {
    this.reserve(count)
    const { bytes, length } = this
    if (count <= SHORT) for (let at = 0; at < count; at++) bytes[length + at] = source[from + at] ?? 0
    else bytes.set(source.subarray(from, from + count), length)
    this.length = length + count
  }

  byte(byte: number): void {
    this.reserve(1)
    this.bytes[this.length++] = byte
  }

  /** A whole number of at most 53 bits. */
  integer(value: number): void {
    if (value < 0) this.byte(MINUS)
    const absolute = Math.abs(value)
    this.digits(absolute, digitsOf(absolute))
  }

  /** The last `count` digits of a whole number that is not negative, with zeros before it. */
  digits(value: number, count: number): void {
    this.reserve(count)
    const { bytes, length } = this
    let rest = value
    for (let at = length + count - 1; at >= length; at--) {
      const tenth = Math.floor(rest / 10)
      bytes[at] = ZERO + (rest - tenth * 10)
      rest = tenth
    }
    this.length = length + count
  }

  private reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }
}

function digitsOf(value: number): number {
  let count = 1
  for (let limit = 10; value >= limit; limit *= 10) count++
  return count
}
