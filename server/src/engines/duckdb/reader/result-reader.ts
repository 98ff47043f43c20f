import { randomUUID } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { quotedString } from '@duckdb/node-api'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import { sizeOf } from '../../../results/files.ts'
import {
  type ResultFacts,
  type StoredColumn,
  type TextResult,
  UNFINISHED,
  placesIn,
  textsFile,
  valuesFile,
} from '../../../results/form.ts'
import { type Arrangement, type Exported, ResultRefused, type ResultReader } from '../../../results/reader.ts'
import type { Column } from '../../engine/columns.ts'
import { part } from '../rows/cell-sizes.ts'
import { StatementRefused, engineError } from '../errors.ts'
import { maskOf } from '../guard/sandbox.ts'
import { readFacts } from '../result-writer/result-file.ts'
import { storedType } from '../result-writer/stored-columns.ts'
import { WriterDatabase } from '../result-writer/writer-database.ts'
import { arrangedPlaces } from './arranged-places.ts'
import { ExportStopped, type Making, writeExport } from './export-file.ts'
import { EXPORT_MACROS } from './export-text.ts'
import { readTexts, textsToParquet } from './text-file.ts'
import { type FileRows, fileWindow, textWindow, type Window, type WindowRows } from './window-rows.ts'
import { SheetTooSmall } from './xlsx.ts'

export interface ReaderSpace {
  /** The account's. */
  readonly directory: string
  readonly threads: number
}

/** Reads what lies in one account's folder of results and writes into its folder of exports, in the calling process. */
export async function openResultReader({ directory, threads }: ReaderSpace): Promise<LocalReader> {
  const places = placesIn(await realpath(directory))
  const directories = Object.values(places)
  for (const place of directories) await mkdir(place, { recursive: true })
  const database = new WriterDatabase({ threads, directories, prepare: EXPORT_MACROS })
  const reader = createReader(database, places)
  return { ...refusing(reader, maskOf([dirname(places.results), directory])), close: () => database.close() }
}

export interface LocalReader extends ResultReader {
  close(): Promise<void>
}

type Found = FileRows | TextResult

// Of results lately read: scrolling asks for the same one again and again.
const MOST_FACTS_KEPT = 100
// Four bytes a row: four results of a million rows, each arranged in one way.
const MOST_PLACES_KEPT = 4_000_000

function createReader(database: WriterDatabase, folders: ReturnType<typeof placesIn>): ResultReader {
  const known = new BoundedMap<ResultFacts>(MOST_FACTS_KEPT)
  const places = new BoundedMap<Uint32Array>(MOST_PLACES_KEPT)
  const arranging = new Map<string, Promise<Uint32Array>>()
  /** By the file that it makes. */
  const exporting = new Map<string, { making: Making; stop: () => void }>()

  async function find(queryId: string): Promise<Found | null> {
    const file = valuesFile(folders.results, queryId)
    const texts = await readTexts(textsFile(folders.results, queryId))
    if (texts) return texts
    if ((await sizeOf(file)) === null) return null
    const facts = known.get(queryId) ?? (await database.use((connection) => readFacts(connection, file)))
    known.set(queryId, facts, 1)
    return { file, facts }
  }

  const readWindow = (found: Found, window: Window): Promise<WindowRows> =>
    'file' in found
      ? database.use((connection) => fileWindow(connection, found, window))
      : Promise.resolve(textWindow(found, window))

  /** Exports are made from a file of values. */
  async function withValues<T>(
    found: Found,
    target: string,
    work: (found: FileRows) => Promise<T>,
  ): Promise<T> {
    if ('file' in found) return work(found)
    const file = `${target}.values${UNFINISHED}`
    try {
      await database.use((connection) => textsToParquet(connection, found, file))
      return await work({ file, facts: found.facts })
    } finally {
      await rm(file, { force: true })
    }
  }

  /** Scrolling through arranged rows asks for the same ones again. */
  async function placesOf(queryId: string, found: Found, arrangement: Arrangement): Promise<Uint32Array> {
    const key = `${queryId} ${JSON.stringify([arrangement.sort, arrangement.filters])}`
    const known = places.get(key) ?? arranging.get(key)
    if (known) return known
    // Names of files that are made here are not those of exports.
    const made = withValues(found, join(folders.exports, randomUUID()), (kept) =>
      database.use((connection) => arrangedPlaces(connection, kept, arrangement)),
    )
    arranging.set(key, made)
    try {
      places.set(key, await made, Math.max(1, (await made).length))
      return await made
    } finally {
      arranging.delete(key)
    }
  }

  return {
    async arranged(queryId, { offset, limit, longestCell, sort, filters }) {
      const found = await find(queryId)
      if (!found) return null
      const { columns, rows: totalRows, complete } = found.facts
      const all = await placesOf(queryId, found, { sort, filters })
      const wanted = [...all.subarray(offset, offset + limit)]
      const cells = await readWindow(found, { columns, rows: { places: wanted }, longestCell })
      return {
        columns: columns.map(shown),
        ...cells,
        places: wanted,
        shownRows: all.length,
        truncated: offset + wanted.length < all.length,
        rowsChanged: null,
        totalRows,
        complete,
      }
    },

    async read(queryId, { offset, limit, longestCell }) {
      const found = await find(queryId)
      if (!found) return null
      const { columns, rows: totalRows, complete } = found.facts
      const cells = await readWindow(found, { columns, rows: { first: offset, count: limit }, longestCell })
      const truncated = offset + cells.rows.length < totalRows
      return { columns: columns.map(shown), ...cells, truncated, rowsChanged: null, totalRows, complete }
    },

    async cell(queryId, { row, column: at, offset, length }) {
      const found = await find(queryId)
      const column = found?.facts.columns[at]
      if (!found || !column || row < 0 || row >= found.facts.rows) return null
      const { rows } = await readWindow(found, { columns: [column], rows: { first: row, count: 1 } })
      const whole = rows[0]?.[0] ?? null
      return { text: whole === null ? null : part(whole, offset, length), length: whole?.length ?? 0 }
    },

    async export(queryId, { format, file, maxBytes }) {
      const target = resolve(file)
      if (dirname(target) !== folders.exports) throw outsideExports()
      const stopping = new AbortController()
      const making: Making = { signal: stopping.signal, percent: null }
      // From here on it can be stopped, also before its result is found.
      exporting.set(target, { making, stop: () => stopping.abort() })
      try {
        const found = await find(queryId)
        if (!found) return null
        return await withValues(found, target, async ({ file: source, facts }) =>
          fitting(
            database.use((connection) =>
              database.use(async (other) => {
                await connection.run(`SET TimeZone = ${quotedString(facts.timeZone)}`)
                return writeExport(connection, { source, facts, format, target, maxBytes, other, making })
              }),
            ),
          ),
        )
      } finally {
        exporting.delete(target)
      }
    },

    exportProgress: async (file) => exporting.get(resolve(file))?.making.percent ?? null,

    async stopExport(file) {
      exporting.get(resolve(file))?.stop()
      return null
    },
  }
}

async function fitting(written: Promise<number | null>): Promise<Exported> {
  try {
    return { bytes: await written }
  } catch (error) {
    if (error instanceof ExportStopped) return { bytes: null, stopped: true }
    if (!(error instanceof SheetTooSmall)) throw error
    return { bytes: null, unfit: error.message }
  }
}

type Mask = (message: string) => string

/** Failures in words that name no folder of this machine. */
function refusing(reader: ResultReader, mask: Mask): ResultReader {
  return {
    read: explained(reader.read, mask),
    arranged: explained(reader.arranged, mask),
    cell: explained(reader.cell, mask),
    export: explained(reader.export, mask),
    exportProgress: reader.exportProgress,
    stopExport: reader.stopExport,
  }
}

function explained<A extends unknown[], T>(task: (...args: A) => Promise<T>, mask: Mask) {
  return async (...args: A): Promise<T> => {
    try {
      return await task(...args)
    } catch (error) {
      if (error instanceof ResultRefused) throw error
      throw new ResultRefused(engineError(error, { sql: '', shift: 0 }, mask))
    }
  }
}

function outsideExports(): StatementRefused {
  const message = `An export can only be written to the folder "exports" of its account.`
  return new StatementRefused({ kind: 'permission', message })
}

function shown(column: StoredColumn): Column {
  const { name, type, family } = column
  return { name, type, family, valueType: storedType(column) }
}
