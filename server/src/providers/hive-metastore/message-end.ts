import { nonsense, TYPE } from './thrift-message.ts'

const MOST_DEPTH = 32
const MOST_VALUES = 500_000

const FIXED: Readonly<Record<number, number>> = {
  [TYPE.bool]: 1,
  [TYPE.byte]: 1,
  [TYPE.double]: 8,
  [TYPE.i16]: 2,
  [TYPE.i32]: 4,
  [TYPE.i64]: 8,
}

/** What is open at a place of a message. `left` counts values of lists, and keys and values of maps in turn. */
type Open =
  | { readonly kind: 'struct' }
  | { readonly kind: 'values'; readonly types: readonly number[]; readonly length: number; left: number }

/**
 * Where a message ends, whose length nothing says. It is looked for as bytes arrive, each once, and refuses what is
 * too deep, too long or no message, before anything is made of it.
 */
export class MessageEnd {
  readonly #open: Open[] = []
  #at = 0
  #values = 0
  #isInside = false

  /** Of all bytes that have arrived; null: more have to come. */
  find(bytes: Buffer): number | null {
    if (!this.#isInside && !this.#begin(bytes)) return null
    for (let top = this.#open.at(-1); top; top = this.#open.at(-1)) {
      if (top.kind === 'struct' ? !this.#field(bytes) : !this.#next(bytes, top)) return null
    }
    return this.#at
  }

  /** Version, name of the call and its number. */
  #begin(bytes: Buffer): boolean {
    if (bytes.length < 8) return false
    if (bytes.readInt16BE(0) !== (0x8001 << 16) >> 16) throw nonsense('no message of Thrift')
    const length = bytes.readInt32BE(4)
    if (length < 0 || length > 1_000) throw nonsense('no message of Thrift')
    if (bytes.length < 12 + length) return false
    this.#at = 12 + length
    this.#isInside = true
    this.#open.push({ kind: 'struct' })
    return true
  }

  #field(bytes: Buffer): boolean {
    const type = bytes[this.#at]
    if (type === undefined) return false
    if (type === TYPE.stop) {
      this.#open.pop()
      this.#at += 1
      return true
    }
    return this.#value(bytes, type, this.#at + 3)
  }

  #next(bytes: Buffer, values: Extract<Open, { kind: 'values' }>): boolean {
    if (values.left === 0) {
      this.#open.pop()
      return true
    }
    const type = values.types[(values.length - values.left) % values.types.length] ?? TYPE.stop
    // It may open what lies in it, which is looked at first.
    values.left -= 1
    if (this.#value(bytes, type, this.#at)) return true
    values.left += 1
    return false
  }

  /** A value that begins here; false: more has to come, and nothing was taken. */
  #value(bytes: Buffer, type: number, at: number): boolean {
    const fixed = FIXED[type]
    if (fixed !== undefined) return this.#take(bytes, at + fixed)
    if (type === TYPE.struct) return this.#take(bytes, at) && this.#enter({ kind: 'struct' })
    if (type === TYPE.text)
      return at + 4 <= bytes.length && this.#take(bytes, at + 4 + this.#length(bytes, at))
    if (type === TYPE.map) return this.#enterValues(bytes, at, 2)
    if (type === TYPE.list || type === TYPE.set) return this.#enterValues(bytes, at, 1)
    throw nonsense('no message of Thrift')
  }

  #enterValues(bytes: Buffer, at: number, kinds: number): boolean {
    const end = at + kinds + 4
    if (end > bytes.length) return false
    const length = this.#length(bytes, at + kinds) * kinds
    this.#take(bytes, end)
    return this.#enter({ kind: 'values', types: [...bytes.subarray(at, at + kinds)], length, left: length })
  }

  #length(bytes: Buffer, at: number): number {
    const length = bytes.readInt32BE(at)
    if (length < 0) throw nonsense('no message of Thrift')
    return length
  }

  #take(bytes: Buffer, end: number): boolean {
    if (end > bytes.length) return false
    this.#values += 1
    if (this.#values > MOST_VALUES) throw nonsense('far too long')
    this.#at = end
    return true
  }

  #enter(open: Open): boolean {
    if (this.#open.length >= MOST_DEPTH) throw nonsense('too deep')
    this.#open.push(open)
    return true
  }
}
