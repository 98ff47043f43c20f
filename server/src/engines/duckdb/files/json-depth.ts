import { open } from 'node:fs/promises'
import type { FileReading } from '../../engine/files.ts'
import { refuse } from './file-head.ts'

/** DuckDB finds out what a value is by recursion, and its stack ends. Nothing that people keep in files is so deep. */
const MOST_DEPTH = 100
const CHUNK_BYTES = 1024 * 1024

const codeOf = (character: string) => character.charCodeAt(0)
const [QUOTE, ESCAPE, NEW_LINE] = [codeOf('"'), codeOf('\\'), codeOf('\n')]
const [SQUARE, CURLY, SQUARE_END, CURLY_END] = [codeOf('['), codeOf('{'), codeOf(']'), codeOf('}')]

/** Counts brackets outside of texts. Where each line is a record, what one leaves open is over with it. */
class DepthScan {
  private depth = 0
  private isText = false
  private isEscaped = false
  line = 1

  constructor(private readonly byLines: boolean) {}

  /** Whether it becomes too deep in these bytes. */
  isTooDeep(bytes: Buffer): boolean {
    for (const byte of bytes) {
      if (byte === NEW_LINE) this.newLine()
      else if (this.isEscaped) this.isEscaped = false
      else if (byte === QUOTE) this.isText = !this.isText
      else if (this.isText) this.isEscaped = byte === ESCAPE
      else if (byte === SQUARE || byte === CURLY) {
        if (++this.depth > MOST_DEPTH) return true
      } else if ((byte === SQUARE_END || byte === CURLY_END) && this.depth > 0) this.depth--
    }
    return false
  }

  private newLine(): void {
    this.line++
    if (!this.byLines) return
    this.depth = 0
    this.isText = false
    this.isEscaped = false
  }
}

/**
 * Refuses JSON that is nested too deeply, before DuckDB reads any of it. Of a file that may be either, records by lines
 * or one text, both readings are looked at: a quote that is never closed would hide what follows from one of them.
 */
export async function refuseDeepJson(path: string, { format }: Pick<FileReading, 'format'>): Promise<void> {
  if (format !== 'json' && format !== 'ndjson') return
  const scans = (format === 'json' ? [true, false] : [true]).map((byLines) => new DepthScan(byLines))
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES)
    for (;;) {
      const { bytesRead } = await file.read({ buffer, position: null })
      if (bytesRead === 0) return
      const deep = scans.find((scan) => scan.isTooDeep(buffer.subarray(0, bytesRead)))
      if (deep)
        throw refuse(
          `Line ${deep.line}: lists and objects are nested more than ${MOST_DEPTH} levels deep, the maximum for a load. Flatten them, or store the inner ones as text.`,
        )
    }
  } finally {
    await file.close()
  }
}
