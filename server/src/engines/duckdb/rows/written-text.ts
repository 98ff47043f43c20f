/**
 * UTF-8 text of numbers, written where room was made before. Each function gives where what follows begins: of a million
 * rows, an object that knows its end would take longer than the writing.
 */
const ZERO = 0x30
const MINUS = 0x2d
const POINT = 0x2e

/** A number that 32 bits hold is divided several times as fast as a larger one. */
export const NINE_DIGITS = 1_000_000_000

/** Of all numbers below a hundred, both of their digits. */
const PAIRS = Uint16Array.from(
  { length: 100 },
  (_, value) => (ZERO + Math.floor(value / 10)) * 256 + ZERO + (value % 10),
)

/** Characters below U+0080 only. */
export function writeAscii(out: DataView, at: number, text: string): number {
  for (let character = 0; character < text.length; character++)
    out.setUint8(at + character, text.charCodeAt(character))
  return at + text.length
}

/** Two digits of a number below 100. */
export function writePair(out: DataView, at: number, value: number): number {
  out.setUint16(at, PAIRS[value] as number)
  return at + 2
}

/** A whole number of at most 53 bits. */
export function writeInteger(out: DataView, at: number, value: number): number {
  if (value < 0) {
    out.setUint8(at, MINUS)
    return writeInteger(out, at + 1, -value)
  }
  if (value < NINE_DIGITS) return writeShort(out, at, value | 0)
  const upper = Math.floor(value / NINE_DIGITS)
  return writeNine(out, writeShort(out, at, upper), (value - upper * NINE_DIGITS) | 0)
}

/** A whole number of at most nine digits that is not negative. */
function writeShort(out: DataView, at: number, value: number): number {
  const end = at + digitsOf(value)
  writeBefore(out, end, value)
  return end
}

/** The same with so many digits, zeros before it. */
export function writeDigits(count: number): (out: DataView, at: number, value: number) => number {
  return (out, at, value) => {
    for (let digit = at; digit < at + count; digit++) out.setUint8(digit, ZERO)
    if (value > 0) writeBefore(out, at + count, value)
    return at + count
  }
}

const writeNine = writeDigits(9)

/** Of a decimal below ten to the ninth, whose last `scale` digits are its fraction; a digit is before it, if `hasWhole`. */
export function writeScaled(
  scale: number,
  hasWhole: boolean,
): (out: DataView, at: number, value: number) => number {
  if (scale === 0) return writeShort
  const least = scale + (hasWhole ? 1 : 0)
  return (out, at, value) => {
    const end = at + Math.max(digitsOf(value), least) + 1
    let rest = value
    let before = end
    for (; before > end - scale + 1; before -= 2) {
      const hundredth = (rest / 100) | 0
      writePair(out, before - 2, rest - hundredth * 100)
      rest = hundredth
    }
    if (before > end - scale) {
      const tenth = (rest / 10) | 0
      out.setUint8(--before, ZERO + rest - tenth * 10)
      rest = tenth
    }
    out.setUint8(--before, POINT)
    if (before > at) writeBefore(out, before, rest)
    return end
  }
}

/** The digits of a number, two at a time from its end. */
function writeBefore(out: DataView, end: number, value: number): void {
  let rest = value
  let at = end
  while (rest >= 100) {
    const hundredth = (rest / 100) | 0
    at -= 2
    out.setUint16(at, PAIRS[rest - hundredth * 100] as number)
    rest = hundredth
  }
  if (rest < 10) out.setUint8(at - 1, ZERO + rest)
  else out.setUint16(at - 2, PAIRS[rest] as number)
}

function digitsOf(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4
  if (value < 1_000_000) return value < 100_000 ? 5 : 6
  if (value < 100_000_000) return value < 10_000_000 ? 7 : 8
  return 9
}
