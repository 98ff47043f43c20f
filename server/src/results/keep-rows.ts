import { rename, rm } from 'node:fs/promises'
import { cellsOf } from '../engines/engine/batches.ts'
import type { Column } from '../engines/engine/columns.ts'
import type { KeptResult } from '../engines/engine/outcome.ts'
import type { ExecuteOptions } from '../engines/engine/run.ts'
import type { RowBatch, RowSink } from '../engines/engine/sink.ts'
import type { DiskRoom } from './disk-space.ts'
import {
  FACTS_KEY,
  type ResultFacts,
  type StoredColumn,
  type TextResult,
  UNFINISHED,
  textsFile,
  valuesFile,
} from './form.ts'
import { createOwnedFile, makeOwnedFolder } from './owned-files.ts'
import { ParquetTextFile } from './parquet/text-file.ts'
import { storedColumns } from './stored-columns.ts'

/** Texts of a small result, in UTF-8, which is kept as a file of texts. */
const SMALL_BYTES = 256 * 1024

export interface KeepRowsOrder {
  /** The account's folder of results. */
  readonly directory: string
  readonly room: DiskRoom
  readonly queryId: string
  readonly keep: NonNullable<ExecuteOptions['keep']>
  /** Of the rows, the first so many are handed over with the outcome. */
  readonly shownRows: number
  readonly timeZone: string
}

/** Some rows of a batch, from its first one on. */
interface Held {
  readonly batch: RowBatch
  readonly rows: number
}

/**
 * Keeps the rows of any engine, in the form that readers read. As a sink it takes as many as may be kept and lets go of
 * the others; memory holds what is shown and a few megabytes. It ends with `finish` or with `abandon`.
 */
export class KeptRows implements RowSink {
  private columns: readonly StoredColumn[] = []
  /** All of a result that is small so far, and of others at least those that are shown. */
  private readonly first: Held[] = []
  private firstRows = 0
  private firstBytes = 0
  private rows = 0
  private hasMore = false
  private isSmall = true
  /** Of a result that is not small; null when it became too large, or the disk has no room for it. */
  private file: ParquetTextFile | null = null
  private reserved = 0

  constructor(private readonly order: KeepRowsOrder) {}

  begin(columns: readonly Column[]): void {
    this.columns = storedColumns(columns)
  }

  async write(batch: RowBatch): Promise<void> {
    const { keep, shownRows } = this.order
    const rows = Math.min(batch.rows, keep.maxRows - this.rows)
    this.hasMore ||= rows < batch.rows
    if (rows <= 0) return
    this.rows += rows
    if (this.isSmall || this.firstRows < shownRows) this.hold({ batch, rows })
    await this.file?.add(batch, rows)
    if (this.isSmall && this.firstBytes > SMALL_BYTES) await this.becomeLarge()
    if (this.file && this.file.bytes > keep.maxBytes) await this.discard()
  }

  /** Null when nothing is kept. */
  async finish({ hasMore }: { readonly hasMore: boolean }): Promise<KeptResult | null> {
    this.hasMore ||= hasMore
    try {
      if (this.isSmall) return await this.writeTexts()
      // A result that became too large is kept with the rows that are shown.
      return (await this.finishFile(this.rows)) ?? (await this.writeShown())
    } finally {
      await this.abandon()
    }
  }

  /** Leaves nothing behind that is not finished; to be called in any case. */
  async abandon(): Promise<void> {
    await this.discard()
    this.order.room.settle(this.reserved)
    this.reserved = 0
    this.first.length = 0
  }

  private hold(held: Held): void {
    this.first.push(held)
    this.firstRows += held.rows
    for (const { data } of held.batch.columns) this.firstBytes += data.length
  }

  private async becomeLarge(): Promise<void> {
    this.isSmall = false
    if (this.reserve(this.order.keep.maxBytes)) this.file = await this.fileOf(this.first)
  }

  /** Reserved until the end: others may be promised the same room otherwise. */
  private reserve(bytes: number): boolean {
    const isThere = this.order.room.promise(bytes)
    if (isThere) this.reserved += bytes
    return isThere
  }

  private async fileOf(held: readonly Held[]): Promise<ParquetTextFile> {
    const { directory, queryId } = this.order
    await makeOwnedFolder(directory)
    const fields = this.columns.map(({ field }) => field)
    const file = await ParquetTextFile.create(`${valuesFile(directory, queryId)}${UNFINISHED}`, fields)
    for (const { batch, rows } of held) await file.add(batch, rows)
    return file
  }

  private async discard(): Promise<void> {
    const { file } = this
    this.file = null
    await file?.discard()
  }

  /** Null when there is no file, or it is too large. */
  private async finishFile(rows: number): Promise<KeptResult | null> {
    const { file, order } = this
    if (!file) return null
    await file.finish({ [FACTS_KEY]: JSON.stringify(this.facts(rows)) })
    if (file.bytes > order.keep.maxBytes) {
      await this.discard()
      return null
    }
    await rename(file.path, valuesFile(order.directory, order.queryId))
    this.file = null
    return this.summary(rows)
  }

  private async writeShown(): Promise<KeptResult | null> {
    if (this.reserved === 0) return null
    const rows = Math.min(this.order.shownRows, this.rows)
    const shown: Held[] = []
    let left = rows
    for (const held of this.first) {
      shown.push({ batch: held.batch, rows: Math.min(left, held.rows) })
      left -= Math.min(left, held.rows)
    }
    this.file = await this.fileOf(shown)
    return this.finishFile(rows)
  }

  private async writeTexts(): Promise<KeptResult | null> {
    const { directory, queryId, keep } = this.order
    const rows = this.first.flatMap(({ batch, rows }) => cellsOf(batch).slice(0, rows))
    const result: TextResult = { facts: this.facts(this.rows), rows }
    const text = JSON.stringify(result)
    if (Buffer.byteLength(text) > keep.maxBytes || !this.reserve(text.length)) return null
    const file = textsFile(directory, queryId)
    await makeOwnedFolder(directory)
    try {
      await writeOwned(`${file}${UNFINISHED}`, text)
      await rename(`${file}${UNFINISHED}`, file)
    } catch (error) {
      await rm(`${file}${UNFINISHED}`, { force: true })
      throw error
    }
    return this.summary(this.rows)
  }

  private facts(rows: number): ResultFacts {
    const { complete } = this.summary(rows)
    const { columns } = this
    return {
      columns,
      rows,
      complete,
      timeZone: this.order.timeZone,
      ...(!this.isSmall && { holdsTexts: true }),
    }
  }

  private summary(rows: number): KeptResult {
    return { rows, complete: !this.hasMore && rows === this.rows, bytes: 0 }
  }
}

async function writeOwned(path: string, text: string): Promise<void> {
  const file = await createOwnedFile(path)
  try {
    await file.writeFile(text)
  } finally {
    await file.close()
  }
}
