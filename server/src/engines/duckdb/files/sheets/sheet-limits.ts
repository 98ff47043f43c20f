/** What a spreadsheet may be: it is packed, and what is in it may be a thousand times as large as the file. */
export const SHEET_LIMITS = {
  /** Of the archive. */
  entries: 10_000,
  /** Unpacked, of one sheet. */
  sheetBytes: 4_000_000_000,
  /** Unpacked, of the list of sheets, of the formats and of each other small part. */
  partBytes: 16 * 1024 * 1024,
  /** Unpacked, of the texts that all sheets share, and what of them is held in memory. */
  sharedBytes: 1024 * 1024 * 1024,
  sharedTextBytes: 128 * 1024 * 1024,
  sharedTexts: 16 * 1024 * 1024,
  /** Between one tag and the next; a cell has at most 32,767 characters. */
  betweenTags: 1024 * 1024,
  depth: 64,
  columns: 4096,
  /** Of one row as a line of text. */
  rowLength: 1_900_000,
  /** Of all rows as text, on the disk. */
  rowsBytes: 8_000_000_000,
  sheetNames: 255,
} as const
