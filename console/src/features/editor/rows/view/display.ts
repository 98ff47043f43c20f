import { grouped } from '../../../../statement/chart/grouped.ts'
import type { GridColumn } from '../../../../ui/grid/grid-columns.ts'

/** How values look; what is copied and downloaded stays as it is. */
export interface Display {
  readonly groupsDigits: boolean
  readonly showsLocalTime: boolean
}

export const PLAIN_DISPLAY: Display = { groupsDigits: false, showsLocalTime: false }

export const isDisplay = (value: unknown): value is Display =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Display).groupsDigits === 'boolean' &&
  typeof (value as Display).showsLocalTime === 'boolean'

/** As 2026-03-01 09:05:07.25+00: a moment, whatever zone it is written in. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?([+-]\d\d(?::?\d\d)?)$/

const twoDigits = (n: number): string => String(n).padStart(2, '0')

function offsetOf(at: Date): string {
  const minutes = -at.getTimezoneOffset()
  const rest = Math.abs(minutes) % 60
  const hours = twoDigits(Math.floor(Math.abs(minutes) / 60))
  return `${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${twoDigits(rest)}`}`
}

/** A moment in the reader's own zone, with its offset; what is no moment stays as it is. */
export function inLocalTime(value: string): string {
  const [, date, time, part = '', offset = ''] = MOMENT.exec(value) ?? []
  if (!date) return value
  const minutes = offset.length > 3 ? offset.slice(-2) : '00'
  const at = new Date(`${date}T${time}${offset.slice(0, 3)}:${minutes}`)
  if (Number.isNaN(at.getTime())) return value
  const day = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-')
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':')
  return `${day} ${clock}${part}${offsetOf(at)}`
}

export function displaying({ groupsDigits, showsLocalTime }: Display) {
  if (!groupsDigits && !showsLocalTime) return undefined
  return (value: string, { family }: GridColumn): string => {
    if (groupsDigits && family === 'number') return grouped(value)
    return showsLocalTime && family === 'temporal' ? inLocalTime(value) : value
  }
}
