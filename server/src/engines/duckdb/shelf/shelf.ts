import { mkdir, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { quotedString } from '@duckdb/node-api'
import type { KeptResults } from '../../engine.ts'
import { readReport } from '../errors.ts'
import type { SandboxSpace } from '../sandbox.ts'
import { Delivery, type KeepOrder } from './delivery.ts'
import { type ShelfPlaces, createKeptResults } from './kept-results.ts'
import { Parcel } from './parcel.ts'
import { UNFINISHED, cut, fileOptions, removeUnfinished, resultFile, sizeOf } from './result-file.ts'
import { ShelfDatabase } from './shelf-database.ts'
import { canBeStored } from './stored-columns.ts'
import { textFile, writeTexts } from './text-file.ts'

// Small results that wait to be written. More than this, and statements wait for the disk.
const MOST_WAITING = 256

export interface ShelfWorld {
  readonly mask: (message: string) => string
  /** Something went wrong that no statement suffers from. */
  onTrouble(message: string): void
}

/** Where results lie after their statements have ended. */
export class Shelf {
  readonly results: KeptResults
  private readonly waiting = new Map<string, Promise<void>>()
  /** Large ones are written one after the other, and small ones do not wait for them. */
  private readonly lanes = { large: Promise.resolve(), small: Promise.resolve() }

  private constructor(
    private readonly database: ShelfDatabase,
    private readonly places: ShelfPlaces,
    private readonly world: ShelfWorld,
  ) {
    const written = async (queryId: string) => this.waiting.get(queryId)
    this.results = createKeptResults({ database, places, written, mask: world.mask })
  }

  static async open(space: SandboxSpace, world: ShelfWorld): Promise<Shelf> {
    const directory = await realpath(space.directory)
    const places = { results: join(directory, 'results'), exports: join(directory, 'exports') }
    for (const place of Object.values(places)) {
      await mkdir(place, { recursive: true })
      await removeUnfinished(place)
    }
    return new Shelf(new ShelfDatabase({ ...space, directory }, Object.values(places)), places, world)
  }

  /** Rows that were all handed over wait in memory; others are taken out of the account's DuckDB at once. */
  async receive(order: KeepOrder): Promise<Delivery> {
    const isLarge = order.facts.rows > order.shownRows
    const parcel = isLarge ? await this.tryParcel(order) : null
    const delivery = new Delivery(order, parcel, (done) => this.accept(done))
    delivery.isCut = isLarge && !parcel
    return delivery
  }

  setThreads(threads: number): Promise<void> {
    return this.database.setThreads(threads)
  }

  /** Everything that was promised is on disk afterwards. */
  async close(): Promise<void> {
    await Promise.all(this.waiting.values())
    await this.database.close()
  }

  private async openParcel(order: KeepOrder): Promise<Parcel> {
    return Parcel.open(await this.database.connect(), order)
  }

  /** No statement suffers from a shelf that takes nothing more. */
  private async tryParcel(order: KeepOrder): Promise<Parcel | null> {
    if (!order.types.every(canBeStored)) return null
    try {
      return await this.openParcel(order)
    } catch (error) {
      this.tell(order, error)
      return null
    }
  }

  private tell({ queryId }: KeepOrder, error: unknown): void {
    const why = this.world.mask(readReport(error).message)
    this.world.onTrouble(`The result of ${queryId} could not be kept: ${why}`)
  }

  private async accept(delivery: Delivery): Promise<void> {
    const { queryId } = delivery.order
    const lane = delivery.parcel ? 'large' : 'small'
    // The statement is answered first.
    const written = this.lanes[lane].then(answered).then(() => this.write(delivery))
    this.lanes[lane] = written
    this.waiting.set(queryId, written)
    void written.then(() => this.waiting.delete(queryId))
    if (this.waiting.size > MOST_WAITING) await this.waiting.values().next().value
  }

  private async write(delivery: Delivery): Promise<void> {
    const { order, facts, texts: rows } = delivery
    try {
      if (rows) writeTexts(textFile(this.places.results, order.queryId), { facts, rows })
      else await this.writeParquet(delivery)
    } catch (error) {
      this.tell(order, error)
    }
  }

  private async writeParquet(delivery: Delivery): Promise<void> {
    const { order } = delivery
    const file = resultFile(this.places.results, order.queryId)
    const draft = `${file}${UNFINISHED}`
    const parcel = delivery.parcel ?? (await this.openParcel(order))
    try {
      if (!delivery.parcel) for (const chunk of delivery.held) parcel.add(chunk)
      await parcel.write(draft, delivery.facts)
      await this.fit(draft, order)
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    } finally {
      parcel.close()
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
