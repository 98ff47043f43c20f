import { AppError } from '../../../../kernel/app-error.ts'
import { BrokenArrow } from './arrow-messages.ts'
import type { ArrowType, TimeText } from './arrow-schema.ts'

const DAY_MS = 86_400_000
const MOST_CHARACTERS = 4 * 1024 * 1024

/** A value as JSON. What the engine casts from texts is a text: no digit is lost on the way. */
export const quoted = (text: string): string => JSON.stringify(text)

/** The same values may be named by any number of rows: how long a row becomes is not bounded by what was sent. */
export function bounded(length: number): void {
  if (length > MOST_CHARACTERS)
    throw new AppError(
      'BadInput',
      `A row has more than ${MOST_CHARACTERS} characters when its values are written as text. Send Parquet.`,
    )
}

export function joined(count: number, part: (at: number) => string): string {
  let text = ''
  for (let at = 0; at < count; at++) {
    text += at === 0 ? part(at) : `,${part(at)}`
    bounded(text.length)
  }
  return text
}

/** With so many digits behind the point. */
export function exact(value: bigint, digits: number): string {
  if (digits <= 0) return String(value * 10n ** BigInt(-digits))
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0')
  return `${value < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Little-endian, in two's complement. */
export function wholeNumber(bytes: Buffer): bigint {
  let value = 0n
  for (let at = bytes.length - 4; at >= 0; at -= 4) value = (value << 32n) | BigInt(bytes.readUInt32LE(at))
  return BigInt.asIntN(bytes.length * 8, value)
}

/** Of 16 bits: a sign, 5 bits of the exponent, 10 of the fraction. */
export function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = (bits & 0x3ff) / 1024
  if (exponent === 0) return sign * fraction * 2 ** -14
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Infinity
  return sign * (1 + fraction) * 2 ** (exponent - 15)
}

function calendarDay(day: number): string {
  const date = new Date(day * DAY_MS)
  if (Number.isNaN(date.getTime())) throw new BrokenArrow('A date lies outside of the calendar.')
  return date.toISOString().split('T')[0] ?? ''
}

const two = (value: number): string => String(value).padStart(2, '0')

/** Hours, minutes and seconds of a day, and the fraction of a second. */
function clock(units: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits)
  const seconds = Number(units / perSecond)
  const fraction = digits === 0 ? '' : `.${String(units % perSecond).padStart(digits, '0')}`
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${fraction}`
}

const TIME_TEXTS: Readonly<Record<TimeText, (day: string, time: string) => string>> = {
  date: (day) => day,
  time: (_, time) => time,
  timestamp: (day, time) => `${day} ${time}`,
  zoned: (day, time) => `${day} ${time}+00`,
}

export function momentText(units: bigint, { text, digits }: Extract<ArrowType, { is: 'moment' }>): string {
  if (digits === null) return calendarDay(Number(units))
  const perDay = 86_400n * 10n ** BigInt(digits)
  const rest = ((units % perDay) + perDay) % perDay
  return TIME_TEXTS[text](calendarDay(Number((units - rest) / perDay)), clock(rest, digits))
}
