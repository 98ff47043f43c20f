/** A date or time as sheets have them: days since their first one, and how that is shown. */
export interface SheetTime {
  readonly serial: number
  /** A number format, as in `yyyy-mm-dd`. */
  readonly format: string
}

const TEXT =
  /^(?:(\d{4})-(\d\d)-(\d\d))?(?:(?<=\d) |^)?(?:(\d\d):(\d\d):(\d\d)(\.\d{1,6})?([+-]\d\d(?::\d\d){0,2})?)?$/

/** Days between 1899-12-30, from which sheets count, and 1970. */
const EPOCH = 25_569
const DAY_MS = 86_400_000
/** Before 1900-03-01 sheets count a day that never was; after 9999 they have no days. */
const FIRST_DAY = 61
const LAST_DAY = 2_958_465

function dayOf(year: string, month: string, day: string): number | null {
  const serial = Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS + EPOCH
  return serial >= FIRST_DAY && serial <= LAST_DAY ? serial : null
}

/**
 * Null where a sheet has no such moment: it is written as text then. A sheet knows no time zones, so the offset is a
 * part of how the local time is shown. Fractions are shown to the millisecond and held to the microsecond.
 */
export function sheetTime(text: string): SheetTime | null {
  const match = TEXT.exec(text)
  if (!match) return null
  const [, year, month, day, hours, minutes, seconds, fraction = '', offset = ''] = match
  const date = year && month && day ? dayOf(year, month, day) : 0
  if (date === null || (!year && !hours)) return null
  if (!hours) return { serial: date, format: 'yyyy-mm-dd' }
  if (Number(hours) > 23) return null
  const inDay = Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}${fraction}`)
  const clock = `hh:mm:ss${fraction && '.000'}${offset && `"${offset}"`}`
  return { serial: date + inDay / 86_400, format: year ? `yyyy-mm-dd ${clock}` : clock }
}

/** More than the offsets that any zone has had. */
const MOST_FORMATS = 500
/** The first number that a format of one's own may have. */
const FIRST_FORMAT = 164

/** The formats that a sheet uses, which are known when its last cell is written. */
export function sheetStyles(main: string) {
  const formats = new Map<string, number>()
  return {
    /** Null: there are too many already. */
    of(format: string): number | null {
      const known = formats.get(format)
      if (known !== undefined) return known
      if (formats.size === MOST_FORMATS) return null
      formats.set(format, formats.size + 1)
      return formats.size
    },

    xml(): string {
      const codes = [...formats.keys()].map((code) => code.replaceAll('"', '&quot;'))
      const own = codes.map((code, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${code}"/>`)
      const used = codes.map(
        (_, at) =>
          `<xf numFmtId="${FIRST_FORMAT + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
      )
      const numbers = own.length > 0 ? `<numFmts count="${own.length}">${own.join('')}</numFmts>` : ''
      return `<styleSheet xmlns="${main}">${numbers}<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${used.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${used.join('')}</cellXfs></styleSheet>`
    },
  }
}

export type SheetStyles = ReturnType<typeof sheetStyles>
