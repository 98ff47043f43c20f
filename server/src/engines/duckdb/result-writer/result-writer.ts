import { randomUUID } from 'node:crypto'
import { mkdir, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { quotedString } from '@duckdb/node-api'
import { removeUnfinished, sizeOf } from '../../../results/files.ts'
import { UNFINISHED, cut, placesIn, textsFile, valuesFile } from '../../../results/form.ts'
import { readReport } from '../errors.ts'
import type { SandboxSpace } from '../guard/sandbox.ts'
import { WriteJob, type KeepOrder } from './write-job.ts'
import { DiskRoom, type FreeBytes } from '../../../results/disk-space.ts'
import { RowBuffer } from './row-buffer.ts'
import { fileOptions } from './result-file.ts'
import { WriterDatabase } from './writer-database.ts'
import { canBeStored } from './stored-columns.ts'
import { writeTexts } from './write-texts.ts'

// Small results that wait to be written. More than this, and statements wait for the disk.
const MOST_WAITING = 256

export interface WriterWorld {
  readonly mask: (message: string) => string
  /** Something went wrong that no statement suffers from. */
  onTrouble(message: string): void
  readonly freeBytes?: FreeBytes | undefined
}

// Texts of a small result in UTF-8, with what JSON adds to them and the names of its columns: no more than this.
const TEXTS_BYTES = 4 * 1024 * 1024

/** Where results lie after their statements have ended. */
export class ResultWriter {
  private readonly room: DiskRoom
  private readonly waiting = new Map<string, Promise<void>>()
  /** Large ones are written one after the other, and small ones do not wait for them. */
  private readonly queues = { large: Promise.resolve(), small: Promise.resolve() }

  private constructor(
    private readonly database: WriterDatabase,
    private readonly directory: string,
    private readonly world: WriterWorld,
  ) {
    this.room = new DiskRoom(directory, world.freeBytes)
  }

  static async open(space: SandboxSpace, world: WriterWorld): Promise<ResultWriter> {
    const directory = await realpath(space.directory)
    const { results } = placesIn(directory)
    const temporary = { directory: join(directory, 'tmp', randomUUID()), bytes: space.tempBytes }
    await mkdir(results, { recursive: true })
    await removeUnfinished(results)
    const database = new WriterDatabase({ threads: space.threads, directories: [results], temporary })
    return new ResultWriter(database, results, world)
  }

  /** Resolves when this result is on disk, or will not be. */
  async settled(queryId: string): Promise<void> {
    await this.waiting.get(queryId)
  }

  /** Rows that were all handed over wait in memory; others are taken out of the account's DuckDB at once. */
  async receive(order: KeepOrder): Promise<WriteJob> {
    const isLarge = order.facts.rows > order.shownRows
    const rowBuffer = isLarge ? await this.tryRowBuffer(order) : null
    const writeJob = new WriteJob(order, rowBuffer, (done) => this.accept(done))
    writeJob.isCut = isLarge && !rowBuffer
    return writeJob
  }

  setThreads(threads: number): Promise<void> {
    return this.database.setThreads(threads)
  }

  /** Everything that was promised is on disk afterwards. */
  async close(): Promise<void> {
    await Promise.all(this.waiting.values())
    await this.database.close()
  }

  private async openRowBuffer(order: KeepOrder): Promise<RowBuffer> {
    return RowBuffer.open(await this.database.connect(), order)
  }

  /** No statement suffers from a result writer that takes nothing more. */
  private async tryRowBuffer(order: KeepOrder): Promise<RowBuffer | null> {
    if (!order.types.every(canBeStored)) return null
    try {
      return await this.openRowBuffer(order)
    } catch (error) {
      this.tell(order, error)
      return null
    }
  }

  private tell({ queryId }: KeepOrder, error: unknown): void {
    const why = this.world.mask(readReport(error).message)
    this.world.onTrouble(`The result of ${queryId} could not be kept: ${why}`)
  }

  /** False when the disk has no room for it: what is promised here is written after the statement was answered. */
  private async accept(writeJob: WriteJob): Promise<boolean> {
    const { queryId, keep } = writeJob.order
    const bytes = writeJob.texts ? TEXTS_BYTES : keep.maxBytes
    if (!this.room.promise(bytes)) return false
    const queue = writeJob.rowBuffer ? 'large' : 'small'
    // The statement is answered first.
    const written = this.queues[queue].then(answered).then(() => this.write(writeJob))
    this.queues[queue] = written
    this.waiting.set(queryId, written)
    void written.finally(() => {
      this.room.settle(bytes)
      this.waiting.delete(queryId)
    })
    if (this.waiting.size > MOST_WAITING) await this.waiting.values().next().value
    return true
  }

  private async write(writeJob: WriteJob): Promise<void> {
    const { order, facts, texts: rows } = writeJob
    try {
      if (rows) writeTexts(textsFile(this.directory, order.queryId), { facts, rows })
      else await this.writeParquet(writeJob)
    } catch (error) {
      this.tell(order, error)
    }
  }

  private async writeParquet(writeJob: WriteJob): Promise<void> {
    const { order } = writeJob
    const file = valuesFile(this.directory, order.queryId)
    const draft = `${file}${UNFINISHED}`
    const rowBuffer = writeJob.rowBuffer ?? (await this.openRowBuffer(order))
    try {
      if (!writeJob.rowBuffer) for (const chunk of writeJob.held) rowBuffer.add(chunk)
      await rowBuffer.write(draft, writeJob.facts)
      await this.fit(draft, order)
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    } finally {
      rowBuffer.close()
    }
  }

  /** A file that is too large is cut to the rows that were handed over. */
  private async fit(draft: string, { facts, keep, shownRows }: KeepOrder): Promise<void> {
    const isFitting = ((await sizeOf(draft)) ?? 0) <= keep.maxBytes
    if (isFitting || facts.rows <= shownRows) return
    const small = `${draft}${UNFINISHED}`
    const rows = `FROM read_parquet(${quotedString(draft)}) LIMIT ${shownRows}`
    const options = fileOptions(cut(facts, shownRows))
    await this.database.use((connection) =>
      connection.run(`COPY (${rows}) TO ${quotedString(small)} (${options})`),
    )
    await rename(small, draft)
  }
}

function answered(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
