import type { Field, Row } from '@boathouse/client/public/index'
import { cutToWidth, displayWidth } from './display-width.ts'
import { safeText } from './safe-text.ts'

const NULL = 'NULL'
/** Narrower columns tell nothing. */
const NARROWEST = 6
const BETWEEN = ' | '

const cellText = (value: string | null): string => (value === null ? NULL : safeText(value))

const line = (cells: readonly string[]): string => cells.join(BETWEEN).trimEnd()

/** The widest columns are made narrower until all fit; null when they cannot. */
function fitted(widths: readonly number[], available: number): readonly number[] | null {
  const room = available - BETWEEN.length * (widths.length - 1)
  const within = (most: number) => widths.reduce((sum, width) => sum + Math.min(width, most), 0)
  let most = Math.max(...widths)
  if (within(most) <= room) return widths
  if (within(NARROWEST) > room) return null
  while (within(most) > room) most--
  return widths.map((width) => Math.min(width, most))
}

export interface TableShape {
  readonly lines: (rows: readonly Row[]) => string
  readonly head: string
}

/**
 * How a table looks, by its first rows. Numbers are aligned to the right. Values that are too wide are cut where a
 * terminal is that wide, and never elsewhere. Null when the columns cannot fit.
 */
export function tableShape(
  fields: readonly Field[],
  first: readonly Row[],
  width: number | null,
): TableShape | null {
  const names = fields.map(({ name }) => safeText(name))
  const natural = names.map((name, at) =>
    Math.max(displayWidth(name), ...first.map((row) => displayWidth(cellText(row[at] ?? null)))),
  )
  const widths = width === null ? natural : fitted(natural, width)
  if (!widths) return null
  const cell = (text: string, at: number, toRight: boolean): string => {
    const most = widths[at] ?? 0
    const shown = width === null ? text : cutToWidth(text, most)
    const blank = ' '.repeat(Math.max(0, most - displayWidth(shown)))
    return toRight ? blank + shown : shown + blank
  }
  const isNumber = fields.map(({ family }) => family === 'number')
  return {
    head: [
      line(names.map((name, at) => cell(name, at, isNumber[at] ?? false))),
      widths.map((one) => '-'.repeat(one)).join('-+-'),
      '',
    ].join('\n'),
    lines: (rows) =>
      rows
        .map(
          (row) =>
            `${line(fields.map((_, at) => cell(cellText(row[at] ?? null), at, isNumber[at] ?? false)))}\n`,
        )
        .join(''),
  }
}

/** One value in a line of its own, for rows that are wider than the terminal. */
export function verticalRow(fields: readonly Field[], row: Row, place: number): string {
  const names = fields.map(({ name }) => safeText(name))
  const widest = Math.max(...names.map(displayWidth))
  const lines = names.map(
    (name, at) => `${' '.repeat(widest - displayWidth(name))}${name}: ${cellText(row[at] ?? null)}\n`,
  )
  return [`-[ row ${place} ]${'-'.repeat(20)}\n`, ...lines].join('')
}
