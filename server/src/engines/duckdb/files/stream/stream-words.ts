import type { FileWords } from '../file-errors.ts'

/** Of data that a program has sent: it cannot choose anything in a dialog. The number of a record is DuckDB's guess. */
export const STREAM_WORDS: FileWords = [
  [
    /malformed json[^]*unexpected end of data/i,
    'The JSON ends in the middle of a record. Check that the whole body was sent.',
  ],
  [/malformed json/i, 'The JSON is broken. Send one record on each line, or one list of records.'],
  [
    /invalid unicode|not utf-8 encoded|invalid utf-?8|byte sequence mismatch/i,
    'The data is not UTF-8. Send it as UTF-8.',
  ],
  [
    /maximum line size of \d+ bytes exceeded/i,
    'A row is longer than 2 MB. Check for a value that is enclosed and never closed, and the separators.',
  ],
  [
    /^(?:Binder Error: )?Referenced column "([^"]+)" not found/i,
    'The file has no column $1. Name the columns that it has in the header columns.',
  ],
  [/unterminated quote/i, 'A value is enclosed and never closed.'],
]
