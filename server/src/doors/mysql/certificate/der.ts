/** As much of DER, the binary form of certificates, as is needed to write one. */

type Bytes = Uint8Array

const TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

function lengthOf(count: number): number[] {
  if (count < 0x80) return [count]
  const bytes: number[] = []
  for (let left = count; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return [0x80 + bytes.length, ...bytes]
}

/** A value under any tag. */
export const tagged = (tag: number, ...contents: readonly Bytes[]): Buffer => {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

export const sequence = (...contents: readonly Bytes[]): Buffer => tagged(TAGS.sequence, ...contents)
export const set = (...contents: readonly Bytes[]): Buffer => tagged(TAGS.set, ...contents)
export const utf8 = (text: string): Buffer => tagged(TAGS.utf8String, Buffer.from(text))
export const octets = (content: Bytes): Buffer => tagged(TAGS.octetString, content)
export const truth = (): Buffer => tagged(TAGS.boolean, Uint8Array.of(0xff))

/** A positive one: a first bit that is set would make it negative. */
export const integer = (bytes: Bytes): Buffer =>
  tagged(TAGS.integer, (bytes[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : Uint8Array.of(), bytes)

/** `unused`: bits of the last byte that are no part of it. */
export const bits = (content: Bytes, unused = 0): Buffer =>
  tagged(TAGS.bitString, Uint8Array.of(unused), content)

/** As in `1.2.840.10045.4.3.2`. */
export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number)
  const bytes = [first * 40 + second, ...others].flatMap((number) => {
    const groups = [number % 128]
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift(0x80 + (left % 128))
    return groups
  })
  return tagged(TAGS.objectId, Uint8Array.from(bytes))
}

/** Years up to 2049 are written with two digits. */
export function time(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return at.getUTCFullYear() < 2050
    ? tagged(TAGS.utcTime, Buffer.from(digits.slice(2)))
    : tagged(TAGS.generalizedTime, Buffer.from(digits))
}
