import type { Reading, WrittenValues } from '@boathouse/contract/load'

const PLAIN: WrittenValues = { date: null, timestamp: null, decimal: '.', thousands: null }

export const writtenOf = (written: WrittenValues | null): WrittenValues => written ?? PLAIN

/** Null where nothing is said: then it is detected. */
export function withWritten(written: WrittenValues, part: Partial<WrittenValues>): WrittenValues | null {
  const changed = { ...written, ...part }
  const { date, timestamp, decimal, thousands } = changed
  return date === null && timestamp === null && decimal === '.' && thousands === null ? null : changed
}

/** Days of a column are read in this order. */
export const withDateFormat = (reading: Reading, format: string | null): Reading =>
  format === null
    ? reading
    : { ...reading, written: withWritten(writtenOf(reading.written), { date: format }) }

/** Numbers have a comma before their decimals. */
export const withDecimalComma = (reading: Reading, thousands: WrittenValues['thousands']): Reading => ({
  ...reading,
  written: withWritten(writtenOf(reading.written), { decimal: ',', thousands }),
})
