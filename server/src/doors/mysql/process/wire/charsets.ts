import { isAscii, isUtf8 } from 'node:buffer'
import type { Charset } from '../../link/messages.ts'
import type { TextColumn } from '../../../../engines/engine/sink.ts'
import { ProtocolError } from './protocol-error.ts'

/** MySQL's latin1 is Windows-1252; the five bytes that have no character there are those of ISO 8859-1. */
const ABOVE_127 = [
  0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,
  0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
  0x0153, 0x9d, 0x017e, 0x0178,
]
const CHARACTERS = Array.from({ length: 256 }, (_, byte) =>
  String.fromCharCode((byte >= 0x80 && byte < 0xa0 ? ABOVE_127[byte - 0x80] : byte) ?? byte),
)
const BYTES = new Map(CHARACTERS.map((character, byte) => [character, byte]))
const WINDOWS_1252 = /[\x80-\x9f]/g

const QUESTION_MARK = 0x3f

/** Whether the bytes are characters of the set. */
export function isTextOf(bytes: Buffer, charset: Charset): boolean {
  if (charset === 'latin1') return true
  return charset === 'ascii' ? isAscii(bytes) : isUtf8(bytes)
}

/** Texts of the client. Invalid bytes are refused: a replacement would be stored, and what was sent would be lost. */
export function decodeText(bytes: Buffer, charset: Charset): string {
  if (!isTextOf(bytes, charset)) throw new ProtocolError(1300, 'HY000', notText(charset))
  if (charset !== 'latin1') return bytes.toString('utf8')
  return bytes.toString('latin1').replace(WINDOWS_1252, (byte) => CHARACTERS[byte.charCodeAt(0)] ?? byte)
}

const notText = (charset: Charset): string =>
  `Invalid ${charset === 'ascii' ? 'ascii' : 'utf8mb4'} character string. Write bytes as X'4a4b', and send texts in the character set of SET NAMES.`

/** A character that the character set does not have becomes a question mark, as MySQL sends it. */
export function encodeText(text: string, charset: Charset): Buffer {
  if (charset === 'utf8mb4' || charset === 'binary') return Buffer.from(text)
  const most = charset === 'ascii' ? 0x7f : 0xff
  return Buffer.from(Array.from(text, (character) => byteOf(character, most)))
}

function byteOf(character: string, most: number): number {
  const byte = BYTES.get(character) ?? QUESTION_MARK
  return byte > most ? QUESTION_MARK : byte
}

/** Texts of a column in another character set than UTF-8. They never grow by it. */
export function encodeColumn(column: TextColumn, charset: Charset): TextColumn {
  if (charset === 'utf8mb4' || charset === 'binary' || !hasMoreThanAscii(column.data)) return column
  const { data, ends, isNull } = column
  const source = Buffer.from(data.buffer, data.byteOffset, data.length)
  const encoded = new Uint8Array(data.length)
  const newEnds = new Uint32Array(ends.length)
  let [from, at] = [0, 0]
  for (const [row, end] of ends.entries()) {
    const text = encodeText(source.toString('utf8', from, end), charset)
    encoded.set(text, at)
    at += text.length
    newEnds[row] = at
    from = end
  }
  return { data: encoded.subarray(0, at), ends: newEnds, isNull }
}

function hasMoreThanAscii(data: Uint8Array): boolean {
  for (let at = 0; at < data.length; at++) if ((data[at] as number) > 0x7f) return true
  return false
}

const LATIN1 = new Set([5, 8, 15, 31, 47, 48, 49, 94])
const ASCII = new Set([11, 65])
const BINARY = 63

/** Of the number of a collation, for texts that come before the server has said what it is. */
export function charsetOf(collation: number): Charset {
  if (LATIN1.has(collation)) return 'latin1'
  if (ASCII.has(collation)) return 'ascii'
  return collation === BINARY ? 'binary' : 'utf8mb4'
}

/** The number that columns of texts have; values that are sent as they are have that of UTF-8, which they are. */
const COLLATIONS: Readonly<Record<Charset, number>> = { utf8mb4: 45, binary: 45, latin1: 8, ascii: 11 }
export const collationOf = (charset: Charset): number => COLLATIONS[charset]
export const NO_COLLATION = BINARY

/** Bytes that a character takes at most. */
export const widestCharacter = (charset: Charset): number =>
  charset === 'latin1' || charset === 'ascii' ? 1 : 4
