import { randomUUID } from 'node:crypto'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type StoredColumn, placesIn } from '../../../results/form.ts'
import { ResultRefused, type ResultReader } from '../../../results/reader.ts'
import type { Column } from '../../engine/columns.ts'
import { part } from '../rows/cell-sizes.ts'
import { engineError } from '../errors.ts'
import { maskOf } from '../guard/sandbox.ts'
import { storedType } from '../result-writer/stored-columns.ts'
import { WriterDatabase } from '../result-writer/writer-database.ts'
import { comparison } from './comparison.ts'
import { columnStatistics } from './column-statistics.ts'
import { EXPORT_MACROS } from './export-text.ts'
import { createFoundResults, type Found } from './found-result.ts'
import { createKnownPlaces } from './known-places.ts'
import { placedTexts } from './placed-texts.ts'
import { pivotTable } from './pivot.ts'
import { createRunningExports } from './running-exports.ts'
import { createRunningWork } from './running-work.ts'

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

function createReader(database: WriterDatabase, folders: ReturnType<typeof placesIn>): ResultReader {
  const results = createFoundResults(database, folders.results)
  const { find, readWindow } = results
  const placesOf = createKnownPlaces({ database, results, folder: folders.exports })
  const work = createRunningWork(database)
  // Names of files that are made here are not those of exports.
  const madeFile = () => join(folders.exports, randomUUID())

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

    statistics: (queryId, order) =>
      work.run(order.workId, async (running) => {
        const found = await find(queryId)
        const column = found?.facts.columns[order.column]
        if (!found || !column) return null
        const textsAt = placedTexts(found, { column, longestCell: order.longestCell, readWindow })
        return results.withValues(found, madeFile(), (rows) =>
          columnStatistics(running, rows, { ...order, textsAt }),
        )
      }),
    pivot: (queryId, order) =>
      work.run(order.workId, async (running) => {
        const found = await find(queryId)
        if (!found) return null
        return results.withValues(found, madeFile(), (rows) => pivotTable(running, rows, order))
      }),
    compare: (queryId, order) =>
      work.run(order.workId, async (running) => {
        const [here, earlier] = [await find(queryId), await find(order.earlierId)]
        if (!here || !earlier) return null
        const { columns } = order
        const textsOf = (found: Found, side: 'here' | 'earlier', places: readonly number[]) =>
          readWindow(found, {
            columns: columns.flatMap((pair) => found.facts.columns[pair[side]] ?? []),
            rows: { places },
            longestCell: order.longestCell,
          }).then(({ rows }) => rows)
        return results.withValues(here, madeFile(), (now) =>
          results.withValues(earlier, madeFile(), (before) =>
            comparison(
              running,
              { now, before },
              {
                ...order,
                textsOfNow: (places) => textsOf(here, 'here', places),
                textsOfBefore: (places) => textsOf(earlier, 'earlier', places),
              },
            ),
          ),
        )
      }),
    stopWork: work.stop,

    ...createRunningExports({ database, results, folder: folders.exports }),
  }
}

type Mask = (message: string) => string

/** Failures in words that name no folder of this machine. */
function refusing(reader: ResultReader, mask: Mask): ResultReader {
  return {
    read: explained(reader.read, mask),
    arranged: explained(reader.arranged, mask),
    cell: explained(reader.cell, mask),
    statistics: explained(reader.statistics, mask),
    pivot: explained(reader.pivot, mask),
    compare: explained(reader.compare, mask),
    stopWork: reader.stopWork,
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

function shown(column: StoredColumn): Column {
  const { name, type, family } = column
  return { name, type, family, valueType: storedType(column) }
}
