import type { DuckDBDataChunk, DuckDBType } from '@duckdb/node-api'
import type { Cell } from '../../engine/rows.ts'
import { BatchMemory } from '../../engine/batch-memory.ts'
import type { RowBatch, TextColumn } from '../../engine/sink.ts'
import { StatementRefused } from '../errors.ts'
import { keyByPosition } from './nested-text.ts'
import { PackedChunk } from './packed-batches.ts'
import { type RawTexts, rawTexts } from './raw-texts.ts'
import { isNullAt, rawVector } from './raw-vector.ts'
import { type ReadingValues, readingValues } from './result-rows.ts'
import { TextWriter } from './text-writer.ts'
import type { ZoneOffsets } from './zone-offsets.ts'

/** Of the texts of a batch, unless a single row has more. */
const BATCH_BYTES = 256 * 1024
/** Packed rows are counted with the longest text of each number, of which about half is there. */
const MOST_PACKED_BYTES = 2 * BATCH_BYTES
// As much as a whole result has that is handed over with its outcome.
const MOST_ROW_BYTES = 64 * 1024 * 1024

/** From the first to the one behind the last. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** Makes the batches of a result, chunk by chunk. */
export class TextBatches {
  /** Of each column; null where values are read one by one, as the driver hands them over. */
  private readonly raw: readonly (RawTexts | null)[]
  private readonly reading: ReadingValues
  private readonly writers: readonly TextWriter[]
  private readonly memory = new BatchMemory()
  /** All of them, where none is read one by one. */
  private readonly allRaw: readonly RawTexts[] | null

  constructor(types: readonly DuckDBType[], zone: ZoneOffsets) {
    this.raw = types.map((type) => rawTexts(type, zone.isUtc))
    this.reading = readingValues(types, zone)
    this.writers = types.map(() => new TextWriter())
    const raw = this.raw.flatMap((texts) => texts ?? [])
    this.allRaw = raw.length === types.length && raw.length > 0 ? raw : null
  }

  /** Of some rows of a chunk. */
  async *of(chunk: DuckDBDataChunk, rows: RowRange): AsyncGenerator<RowBatch> {
    if (rows.from >= rows.to) return
    const columns = this.writers.map((out, at) => this.column(chunk, at, out))
    const { localColumns, zone } = this.reading
    for (const at of localColumns) for (let row = rows.from; row < rows.to; row++) columns[at]?.prepare(row)
    await zone.learn()
    const varying = columns.filter(({ fixedBytes }) => fixedBytes === null)
    const fixedBytes = columns.reduce((sum, column) => sum + (column.fixedBytes ?? 0), 0)
    for (let { from } = rows; from < rows.to;) {
      const to = fittingRows({ varying, fixedBytes, most: BATCH_BYTES }, from, rows.to)
      yield { rows: to - from, columns: columns.map((column) => column.take(from, to)) }
      from = to
    }
  }

  /** The same, packed where that can be done. */
  async *packed(chunk: DuckDBDataChunk, rows: RowRange): AsyncGenerator<RowBatch> {
    const [out] = this.writers
    if (!this.allRaw || !out) return yield* this.of(chunk, rows)
    if (rows.from >= rows.to) return
    const packed = new PackedChunk(chunk, this.allRaw)
    for (let { from } = rows; from < rows.to;) {
      const to = fittingRows({ varying: [packed], fixedBytes: 0, most: MOST_PACKED_BYTES }, from, rows.to)
      yield packed.take({ from, to }, { out, memory: this.memory })
      from = to
    }
  }

  private column(chunk: DuckDBDataChunk, at: number, out: TextWriter): ChunkColumn {
    const raw = this.raw[at]
    if (raw) return new RawColumn(chunk, { at, raw, out })
    const vector = chunk.getColumnVector(at)
    keyByPosition(vector.type)
    const text = this.reading.texts[at]
    return new ReadColumn((row) => text?.(vector.getItem(row)) ?? null, out)
  }
}

interface RowSizes {
  readonly varying: readonly Pick<ChunkColumn, 'bytesAt'>[]
  /** Of the other columns of a row together. */
  readonly fixedBytes: number
  /** Of all rows together. */
  readonly most: number
}

/** The rows from `from` on that make a batch: at least one, and none of those from `end` on. */
function fittingRows({ varying, fixedBytes, most }: RowSizes, from: number, end: number): number {
  let bytes = 0
  for (let row = from; row < end; row++) {
    bytes += fixedBytes
    for (const column of varying) bytes += column.bytesAt(row)
    if (bytes <= most) continue
    if (row > from) return row
    if (bytes > MOST_ROW_BYTES) throw rowTooLarge()
  }
  return end
}

function rowTooLarge(): StatementRefused {
  const message = `A row of the result is larger than ${MOST_ROW_BYTES / 1024 / 1024} MB of text: select fewer or smaller columns.`
  return new StatementRefused({ kind: 'resource', message })
}

/** A column of a chunk on its way to batches, row after row. */
interface ChunkColumn {
  /** Has the time zone learn what the row needs. */
  prepare(row: number): void
  /** Of the text of any row, at most; null where it differs between rows. */
  readonly fixedBytes: number | null
  /** Of the text of a row. Asked for one row after the other. */
  bytesAt(row: number): number
  /** The texts of these rows. */
  take(from: number, to: number): TextColumn
}

/** One that is written straight from DuckDB's memory. */
class RawColumn implements ChunkColumn {
  readonly fixedBytes: number | null
  readonly bytesAt: (row: number) => number
  private readonly vector: ReturnType<typeof rawVector>
  private readonly raw: RawTexts
  private readonly out: TextWriter

  constructor(chunk: DuckDBDataChunk, { at, raw, out }: { at: number; raw: RawTexts; out: TextWriter }) {
    const { longest } = raw
    this.vector = rawVector(chunk, at, raw.bytesPerValue)
    this.raw = raw
    this.out = out
    const isFixed = typeof longest === 'number'
    this.fixedBytes = isFixed ? longest : null
    this.bytesAt = isFixed ? () => longest : this.lengths(longest(this.vector))
  }

  /** Where there is no text, DuckDB leaves whatever was in its memory before: it is no length. */
  private lengths(lengthAt: (row: number) => number): (row: number) => number {
    const { vector } = this
    return vector.validity ? (row) => (isNullAt(vector, row) ? 0 : lengthAt(row)) : lengthAt
  }

  prepare(): void {
    // It needs no time zone but UTC.
  }

  take(from: number, to: number): TextColumn {
    const { vector, out } = this
    const ends = new Uint32Array(to - from)
    const isNull = vector.validity && new Uint8Array(to - from)
    const write = this.raw.of(vector)
    out.reserve(this.bytesOf(from, to))
    let nulls = 0
    for (let row = from; row < to; row++) {
      if (isNull && isNullAt(vector, row)) nulls += isNull[row - from] = 1
      else out.length = write(row, out.view, out.length)
      ends[row - from] = out.length
    }
    return { data: out.take(), ends, isNull: nulls > 0 ? isNull : null }
  }

  /** Of the texts of these rows together, at most. */
  private bytesOf(from: number, to: number): number {
    if (this.fixedBytes !== null) return this.fixedBytes * (to - from)
    let bytes = 0
    for (let row = from; row < to; row++) bytes += this.bytesAt(row)
    return bytes
  }
}

/** One whose values the driver reads. How long their texts are is known when they are made, once for each row. */
class ReadColumn implements ChunkColumn {
  readonly fixedBytes = null
  private made: { readonly row: number; readonly cell: Cell } | null = null
  private readonly pending: Cell[] = []

  constructor(
    private readonly textAt: (row: number) => Cell,
    private readonly out: TextWriter,
  ) {}

  prepare(row: number): void {
    this.textAt(row)
  }

  bytesAt(row: number): number {
    const cell = this.made?.row === row ? this.made.cell : this.textAt(row)
    this.made = { row, cell }
    this.pending.push(cell)
    return cell === null ? 0 : Buffer.byteLength(cell)
  }

  take(from: number, to: number): TextColumn {
    const { out } = this
    const ends = new Uint32Array(to - from)
    const isNull = new Uint8Array(to - from)
    let nulls = 0
    for (const [at, cell] of this.pending.slice(0, to - from).entries()) {
      if (cell === null) nulls += isNull[at] = 1
      else out.text(cell)
      ends[at] = out.length
    }
    // The row that no longer fitted is asked for again.
    this.pending.length = 0
    return { data: out.take(), ends, isNull: nulls > 0 ? isNull : null }
  }
}
