import { rm } from 'node:fs/promises'
import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { FileReading } from '../../engine/files.ts'
import type { RawRecords } from './record-source.ts'
import type { FoundSheet } from './sheets/convert-sheet.ts'
import { readSheet } from './sheets/read-sheet.ts'

export interface SheetTools {
  /** The file of the thread that reads spreadsheets. */
  readonly sheetReader: () => Promise<string>
  readonly stop: AbortSignal
}

export interface OpenSheet {
  readonly found: FoundSheet
  readonly records: RawRecords
}

/** No column of a sheet has it: names have no control characters. */
const NUMBER = '\u0001row'
const LONGEST_ROW = 8_000_000

/** The rows of a sheet beside the file itself, for as long as the work takes. */
export async function withSheet<T>(
  { path, tools }: { readonly path: string; readonly tools: SheetTools },
  reading: FileReading,
  work: (sheet: OpenSheet) => Promise<T>,
): Promise<T> {
  const rowsFile = `${path}-rows`
  const order = { file: path, rowsFile, sheet: reading.sheet, header: reading.header }
  try {
    const found = await readSheet(order, { path: await tools.sheetReader(), stop: tools.stop })
    return await work({ found, records: recordsIn(rowsFile, found) })
  } finally {
    await rm(rowsFile, { force: true })
  }
}

/** Every value as text: the load chooses the types. */
function recordsIn(rowsFile: string, { columns }: FoundSheet): RawRecords {
  const types = [
    `${quotedString(NUMBER)}: 'BIGINT'`,
    ...columns.map(({ name }) => `${quotedString(name)}: 'VARCHAR'`),
  ]
  const options = [
    `auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', new_line = '\\n', comment = ''`,
    // Rows end with their last value, and a value may have lines of its own.
    `null_padding = true, parallel = false, allow_quoted_nulls = false, compression = 'none'`,
    `max_line_size = ${LONGEST_ROW}, columns = {${types.join(', ')}}`,
  ]
  return {
    from: `system.main.read_csv(${quotedString(rowsFile)}, ${options.join(', ')})`,
    number: quotedIdentifier(NUMBER),
    isBroken: null,
    value: ({ name }) => quotedIdentifier(name),
    isOther: () => null,
  }
}
