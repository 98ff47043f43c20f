import type { Shown } from './number-formats.ts'

/** What kinds of values a column has, as bits. A failed formula has none: its row is reported at the load. */
export const KIND = { integer: 1, number: 2, boolean: 4, date: 8, timestamp: 16, time: 32, text: 64 } as const

export interface CellValue {
  readonly text: string
  readonly kind: number
}

const DAY_MS = 86_400_000
/** Day 0 of the two calendars; the first has a 29th of February 1900, which never was. */
const FROM_1900 = Date.UTC(1899, 11, 30)
const FROM_1904 = Date.UTC(1904, 0, 1)
const NEVER_WAS = 60
/** The day after the last one that the format knows. */
const DAYS = 2_958_466

const textValue = (text: string): CellValue => ({ text, kind: KIND.text })

/** The type that all values of a column have. */
export function typeOfKinds(kinds: number): string {
  switch (kinds) {
    case KIND.integer:
      return 'BIGINT'
    case KIND.number:
    case KIND.integer | KIND.number:
      return 'DOUBLE'
    case KIND.boolean:
      return 'BOOLEAN'
    case KIND.date:
      return 'DATE'
    case KIND.timestamp:
    case KIND.timestamp | KIND.date:
      return 'TIMESTAMP'
    case KIND.time:
      return 'TIME'
    default:
      return 'VARCHAR'
  }
}

interface NumberShown {
  readonly shown: Shown
  readonly from1904: boolean
}

function numberValue(written: string, { shown, from1904 }: NumberShown): CellValue {
  const value = written.trim() === '' ? Number.NaN : Number(written)
  if (Number.isNaN(value)) return textValue(written)
  if (shown !== 'number' && value >= 0 && value < DAYS) return dayValue(value, { shown, from1904 })
  if (Number.isSafeInteger(value)) return { text: String(value), kind: KIND.integer }
  return { text: written.trim(), kind: KIND.number }
}

function dayValue(value: number, { shown, from1904 }: NumberShown): CellValue {
  const ms = Math.round(value * DAY_MS)
  const iso = new Date(momentOf(ms, from1904)).toISOString()
  const [day = '', time = ''] = iso.slice(0, -1).split('T')
  const clock = time.endsWith('.000') ? time.slice(0, -4) : time
  if (shown === 'time' && ms < DAY_MS) return { text: clock, kind: KIND.time }
  if (shown === 'date' && ms % DAY_MS === 0) return { text: day, kind: KIND.date }
  return { text: `${day} ${clock}`, kind: KIND.timestamp }
}

function momentOf(ms: number, from1904: boolean): number {
  if (from1904) return FROM_1904 + ms
  return FROM_1900 + ms + (ms < NEVER_WAS * DAY_MS ? DAY_MS : 0)
}

/** A day or a moment that is written out, as some programs do. */
function writtenDay(written: string): CellValue {
  const [, day, clock] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}(?:\.\d+)?)Z?)?$/.exec(written) ?? []
  if (!day) return textValue(written)
  return !clock || /^00:00:00(?:\.0+)?$/.test(clock)
    ? { text: day, kind: KIND.date }
    : { text: `${day} ${clock}`, kind: KIND.timestamp }
}

/** Characters that XML has no way to write stand as _xHHHH_; U+0000 is in no text of ours. */
export const decodedText = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (whole, code: string) =>
        code === '0000' ? whole : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

export interface WrittenCell extends NumberShown {
  /** As the file says: s, str, inlineStr, b, e, d, or n for a number. */
  readonly type: string
  readonly written: string
  readonly sharedText: (at: number) => string
}

/** Null: the cell is empty. */
export function cellValue(cell: WrittenCell): CellValue | null {
  const { type, written } = cell
  if (written === '') return null
  switch (type) {
    case 's': {
      const text = cell.sharedText(Number(written))
      return text === '' ? null : textValue(text)
    }
    case 'str':
    case 'inlineStr':
      return textValue(decodedText(written))
    case 'b':
      return { text: /^(?:1|true)$/i.test(written) ? 'true' : 'false', kind: KIND.boolean }
    case 'e':
      return { text: written, kind: 0 }
    case 'd':
      return writtenDay(written)
    default:
      return numberValue(written, cell)
  }
}
