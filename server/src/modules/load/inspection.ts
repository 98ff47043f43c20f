import type { Inspection, Reading } from '@boathouse/contract'
import type { FileReading } from '../../engines/engine/files.ts'
import type { UploadRow } from './upload-store.ts'

/** An inspection as it is kept, with all that is needed to read the file in the same way again. */
export interface KeptInspection extends Omit<Inspection, 'reading' | 'columns' | LaterPart> {
  readonly reading: FileReading
  readonly columns: { name: string; type: string; values?: number | null }[]
  readonly sheets?: string[]
  readonly sampledBytes?: number | null
  readonly spoiled?: (Omit<Inspection['spoiled'][number], 'format'> & { format?: string | null })[]
  readonly decimalCommas?: Inspection['decimalCommas']
  readonly broken?: Inspection['broken']
}

/** One that was kept by an earlier version has none of these. */
type LaterPart = 'sheets' | 'sampledBytes' | 'detected' | 'spoiled' | 'decimalCommas' | 'broken'

export const readingOf = ({ format, encoding, delimiter, header, sheet, written }: Reading): FileReading => ({
  format,
  encoding,
  delimiter,
  header,
  quote: null,
  escape: null,
  skip: null,
  newLine: null,
  dateFormat: null,
  timestampFormat: null,
  sheet,
  written,
})

export const readInspection = ({ inspection }: Pick<UploadRow, 'inspection'>): KeptInspection | null =>
  inspection as KeptInspection | null

export function presentInspection(kept: KeptInspection | null): Inspection | null {
  if (!kept) return null
  const { format, encoding, delimiter, header, written = null, dateFormat, timestampFormat } = kept.reading
  // What was chosen or found to be none is not a delimiter that can be chosen.
  // One that was kept by an earlier version names no sheet.
  const sheet = (kept.reading as Partial<FileReading>).sheet ?? null
  const reading = { format, encoding, delimiter: delimiter || null, header, sheet, written }
  const { sheets = [], sampledBytes = null, decimalCommas = [], broken = { count: 0, rows: [] } } = kept
  const columns = kept.columns.map(({ name, type, values = null }) => ({ name, type, values }))
  const spoiled = (kept.spoiled ?? []).map((one) => ({ ...one, format: one.format ?? null }))
  const detected = { date: dateFormat || null, timestamp: timestampFormat || null }
  return { ...kept, columns, reading, sheets, sampledBytes, detected, spoiled, decimalCommas, broken }
}
