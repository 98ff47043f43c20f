import type { Inspection, Reading } from '@boathouse/contract'
import type { FileReading } from '../../engines/engine/files.ts'
import type { UploadRow } from './upload-store.ts'

/** An inspection as it is kept, with all that is needed to read the file in the same way again. */
export interface KeptInspection extends Omit<Inspection, 'reading' | LaterPart> {
  readonly reading: FileReading
  readonly sheets?: string[]
  readonly sampledBytes?: number | null
  readonly spoiled?: Inspection['spoiled']
}

/** One that was kept by an earlier version has none of these. */
type LaterPart = 'sheets' | 'sampledBytes' | 'spoiled'

export const readingOf = ({ format, encoding, delimiter, header, sheet }: Reading): FileReading => ({
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
})

export const readInspection = ({ inspection }: Pick<UploadRow, 'inspection'>): KeptInspection | null =>
  inspection as KeptInspection | null

export function presentInspection(kept: KeptInspection | null): Inspection | null {
  if (!kept) return null
  const { format, encoding, delimiter, header } = kept.reading
  // What was chosen or found to be none is not a delimiter that can be chosen.
  // One that was kept by an earlier version names no sheet.
  const sheet = (kept.reading as Partial<FileReading>).sheet ?? null
  const reading = { format, encoding, delimiter: delimiter || null, header, sheet }
  const { sheets = [], sampledBytes = null, spoiled = [] } = kept
  return { ...kept, reading, sheets, sampledBytes, spoiled }
}
