/** Why a spreadsheet is not read, in words for the user who uploaded it. */
export class SheetRefused extends Error {}

export const damaged = (what: string): SheetRefused =>
  new SheetRefused(
    `This spreadsheet is damaged: ${what}. Open it in a spreadsheet program, save it as XLSX again and upload that.`,
  )

const inMb = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`

export const tooLarge = (what: string, bytes: number, most: number): SheetRefused =>
  new SheetRefused(
    `${what} of this spreadsheet has ${inMb(bytes)} unpacked, and at most ${inMb(most)} are read. Save the sheet as CSV (UTF-8) and upload that.`,
  )
