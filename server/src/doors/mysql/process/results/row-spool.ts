import { randomBytes } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Column } from '../../../../engines/engine/columns.ts'
import { batchParts, readBatch } from '../../../../engines/engine/batch-bytes.ts'
import type { RowBatch } from '../../../../engines/engine/sink.ts'
import type { SpoolSpace } from './spool-space.ts'

/** Of the rows of one cursor in memory; more are in a file. */
const MEMORY_BYTES = 1024 * 1024

/** Thrown where a result is too large to be kept. */
export class SpoolFull extends Error {}

interface InFile {
  readonly at: number
  readonly bytes: number
}

export interface SpoolOptions {
  readonly folder: string
  readonly space: SpoolSpace
  /** Done once for a batch, when its first row is fetched. */
  convert(batch: RowBatch): RowBatch
}

/** The rows of a cursor, which its client fetches when it likes. The file has no name: it ends with the process. */
export class RowSpool {
  readonly columns: readonly Column[]
  readonly #options: SpoolOptions
  readonly #batches: (RowBatch | InFile)[] = []
  #file: FileHandle | null = null
  #inMemory = 0
  #inFile = 0
  /** Of the file's space, also for what could not be written. */
  #taken = 0
  #next = 0
  #current: { batch: RowBatch; row: number } | null = null
  #isClosed = false

  constructor(columns: readonly Column[], options: SpoolOptions) {
    this.columns = columns
    this.#options = options
  }

  async add(batch: RowBatch, bytes: number): Promise<void> {
    const { space } = this.#options
    if (this.#inMemory + bytes <= MEMORY_BYTES && space.take('memory', bytes)) {
      this.#inMemory += bytes
      this.#batches.push(batch)
      return
    }
    if (!space.take('file', bytes)) throw new SpoolFull()
    this.#taken += bytes
    const file = (this.#file ??= await this.#open())
    const { bytesWritten } = await file.writev(batchParts(batch), this.#inFile)
    if (bytesWritten !== bytes) throw new SpoolFull()
    this.#batches.push({ at: this.#inFile, bytes })
    this.#inFile += bytes
  }

  /** The batch that is to be read next, and from which row on; null at the end. */
  async current(): Promise<{ batch: RowBatch; row: number } | null> {
    if (this.#current && this.#current.row < this.#current.batch.rows) return this.#current
    const next = this.#batches[this.#next++]
    if (!next) return null
    const batch = 'rows' in next ? next : await this.#read(next)
    this.#current = { batch: this.#options.convert(batch), row: 0 }
    return this.#current
  }

  get isAtEnd(): boolean {
    const isRead = !this.#current || this.#current.row === this.#current.batch.rows
    return isRead && this.#next >= this.#batches.length
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#batches.length = 0
    this.#current = null
    this.#options.space.give('memory', this.#inMemory)
    this.#options.space.give('file', this.#taken)
    // Nobody reads it any more: what goes wrong here changes nothing.
    void this.#file?.close().catch(() => undefined)
  }

  async #open(): Promise<FileHandle> {
    const path = join(this.#options.folder, `cursor-${randomBytes(8).toString('hex')}`)
    const file = await open(path, 'wx+', 0o600)
    await unlink(path)
    return file
  }

  async #read({ at, bytes }: InFile): Promise<RowBatch> {
    const whole = new Uint8Array(bytes)
    const { bytesRead } = (await this.#file?.read(whole, 0, bytes, at)) ?? { bytesRead: 0 }
    if (bytesRead !== bytes) throw new Error('A part of the rows of a cursor is missing.')
    return readBatch(whole)
  }
}
