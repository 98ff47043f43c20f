import { type FileHandle, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { RowBatch } from '../../engines/engine/sink.ts'
import { createOwnedFile } from '../owned-files.ts'
import { type ColumnPart, textPage } from './text-page.ts'
import { ThriftStruct } from './thrift.ts'

const MAGIC = Buffer.from('PAR1')
/** Numbers of the format. */
const BYTE_ARRAY = 6
const OPTIONAL = 1
const UTF8 = 0
const DATA_PAGE = 0
const PLAIN = 0
const RLE = 3
const GZIP = 2

/** Small groups of rows let a window be read without what is before it. */
const ROWS_OF_GROUP = 20_480
const BYTES_OF_GROUP = 8 * 1024 * 1024

const compressed = promisify(gzip)

interface Taken extends Pick<ColumnPart, 'from' | 'to'> {
  readonly batch: RowBatch
}

interface Chunk {
  readonly offset: number
  readonly bytes: number
  readonly uncompressedBytes: number
}

/** Writes a Parquet file whose columns are all texts. Memory holds one group of rows at a time. */
export class ParquetTextFile {
  /** Of all that is written. */
  bytes = MAGIC.length
  rows = 0
  private readonly groups: ThriftStruct[] = []
  private taken: Taken[] = []
  private takenRows = 0
  private takenBytes = 0

  private isOpen = true

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    private readonly fields: readonly string[],
  ) {}

  static async create(path: string, fields: readonly string[]): Promise<ParquetTextFile> {
    const file = await createOwnedFile(path)
    await file.write(MAGIC)
    return new ParquetTextFile(path, file, fields)
  }

  /** The first so many rows of a batch. */
  async add(batch: RowBatch, rows: number): Promise<void> {
    for (let from = 0; from < rows;) {
      const to = Math.min(rows, from + ROWS_OF_GROUP - this.takenRows)
      this.taken.push({ batch, from, to })
      this.takenRows += to - from
      this.takenBytes += batch.columns.reduce((sum, { data }) => sum + data.length, 0)
      if (this.takenRows === ROWS_OF_GROUP || this.takenBytes >= BYTES_OF_GROUP) await this.writeGroup()
      from = to
    }
  }

  /** Writes what is left, and what the file says of itself. */
  async finish(metadata: Readonly<Record<string, string>>): Promise<void> {
    if (this.takenRows > 0) await this.writeGroup()
    const root = new ThriftStruct().text(4, 'schema').i32(5, this.fields.length)
    const columns = this.fields.map((field) =>
      new ThriftStruct().i32(1, BYTE_ARRAY).i32(3, OPTIONAL).text(4, field).i32(6, UTF8),
    )
    const footer = new ThriftStruct()
      .i32(1, 1)
      .structs(2, [root, ...columns])
      .i64(3, this.rows)
      .structs(4, this.groups)
      .structs(
        5,
        Object.entries(metadata).map(([key, value]) => new ThriftStruct().text(1, key).text(2, value)),
      )
      .finish()
    const length = Buffer.alloc(4)
    length.writeUInt32LE(footer.length)
    await this.append(Buffer.concat([footer, length, MAGIC]))
    await this.close()
  }

  /** It is not wanted, finished or not. */
  async discard(): Promise<void> {
    await this.close()
    await rm(this.path, { force: true })
  }

  private async close(): Promise<void> {
    if (this.isOpen) await this.file.close()
    this.isOpen = false
  }

  private async writeGroup(): Promise<void> {
    const { taken, takenRows } = this
    const chunks: Chunk[] = []
    for (const at of this.fields.keys()) chunks.push(await this.writeChunk(at, taken, takenRows))
    const columns = chunks.map((chunk, at) => columnChunk(this.fields[at] ?? '', chunk, takenRows))
    const bytes = chunks.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0)
    this.groups.push(new ThriftStruct().structs(1, columns).i64(2, bytes).i64(3, takenRows))
    this.rows += takenRows
    this.taken = []
    this.takenRows = 0
    this.takenBytes = 0
  }

  private async writeChunk(at: number, taken: readonly Taken[], rows: number): Promise<Chunk> {
    const page = textPage(
      taken.flatMap(({ batch, from, to }) => {
        const column = batch.columns[at]
        return column ? [{ column, from, to }] : []
      }),
    )
    const packed = await compressed(page, { level: constants.Z_BEST_SPEED })
    const values = new ThriftStruct().i32(1, rows).i32(2, PLAIN).i32(3, RLE).i32(4, RLE)
    const head = new ThriftStruct()
      .i32(1, DATA_PAGE)
      .i32(2, page.length)
      .i32(3, packed.length)
      .struct(5, values)
      .finish()
    const offset = this.bytes
    await this.append(Buffer.concat([head, packed]))
    return { offset, bytes: this.bytes - offset, uncompressedBytes: head.length + page.length }
  }

  private async append(bytes: Buffer): Promise<void> {
    await this.file.write(bytes, 0, bytes.length, this.bytes)
    this.bytes += bytes.length
  }
}

function columnChunk(field: string, { offset, bytes, uncompressedBytes }: Chunk, rows: number): ThriftStruct {
  const facts = new ThriftStruct()
    .i32(1, BYTE_ARRAY)
    .i32s(2, [PLAIN, RLE])
    .texts(3, [field])
    .i32(4, GZIP)
    .i64(5, rows)
    .i64(6, uncompressedBytes)
    .i64(7, bytes)
    .i64(9, offset)
  return new ThriftStruct().i64(2, offset).struct(3, facts)
}
