import { rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import { type KeptResults, ResultRefused, type ResultRows } from '../../engine.ts'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import { StatementRefused, engineError } from '../errors.ts'
import { CellSizes } from '../cell-sizes.ts'
import { readResult } from '../result-rows.ts'
import { writeExport } from './export-file.ts'
import { type ResultFacts, listFiles, readFacts, resultFile, sizeOf } from './result-file.ts'
import type { ShelfDatabase } from './shelf-database.ts'
import { type StoredColumn, restored } from './stored-columns.ts'
import { type TextResult, readTexts, textFile, textsToParquet } from './text-file.ts'

export interface ShelfPlaces {
  readonly results: string
  readonly exports: string
}

export interface KeptResultsOptions {
  readonly database: ShelfDatabase
  readonly places: ShelfPlaces
  /** Resolves when a result that is still being written is there. */
  readonly written: (queryId: string) => Promise<void>
  readonly mask: Mask
}

interface FoundFile {
  readonly file: string
  readonly facts: ResultFacts
}

type Found = FoundFile | TextResult

// Of results lately read: whoever scrolls asks for the same one again and again.
const MOST_FACTS_KEPT = 100

export function createKeptResults({ database, places, written, mask }: KeptResultsOptions): KeptResults {
  const known = new BoundedMap<ResultFacts>(MOST_FACTS_KEPT)

  async function find(queryId: string): Promise<Found | null> {
    const file = resultFile(places.results, queryId)
    await written(queryId)
    // The text first: when it becomes a file of the other kind, that one is there before it goes.
    const texts = await readTexts(textFile(places.results, queryId))
    if (texts) return texts
    if ((await sizeOf(file)) === null) return null
    const facts = known.get(queryId) ?? (await database.use((connection) => readFacts(connection, file)))
    known.set(queryId, facts, 1)
    return { file, facts }
  }

  async function readWindow(found: Found, window: Window): Promise<Rows> {
    if ('file' in found) return database.use((connection) => readRows(connection, found, window))
    const { columns, first, count, longestCell } = window
    const places = columns.map((column) => found.facts.columns.indexOf(column))
    const rows = found.rows.slice(Math.max(0, first), first + count)
    const cells = new CellSizes(longestCell)
    return cells.finish(
      rows.map((row, at) => places.map((place, column) => cells.take(row[place] ?? null, at, column))),
    )
  }

  /** Exports are made from the file of values. */
  async function asFile(queryId: string, found: Found): Promise<FoundFile> {
    if ('file' in found) return found
    const file = resultFile(places.results, queryId)
    await database.use((connection) => textsToParquet(connection, found, file))
    await rm(textFile(places.results, queryId), { force: true })
    return { file, facts: found.facts }
  }

  const results: KeptResults = {
    async read(queryId, { offset, limit, longestCell }) {
      const found = await find(queryId)
      if (!found) return null
      const { columns, rows: totalRows, complete } = found.facts
      const cells = await readWindow(found, { columns, first: offset, count: limit, longestCell })
      const truncated = offset + cells.rows.length < totalRows
      return { columns: columns.map(shown), ...cells, truncated, rowsChanged: null, totalRows, complete }
    },

    async cell(queryId, { row, column: at }) {
      const found = await find(queryId)
      const column = found?.facts.columns[at]
      if (!found || !column || row < 0 || row >= found.facts.rows) return null
      const { rows } = await readWindow(found, { columns: [column], first: row, count: 1 })
      return { text: rows[0]?.[0] ?? null }
    },

    async export(queryId, format, file) {
      const target = resolve(file)
      if (dirname(target) !== places.exports) throw outsideExports()
      const found = await find(queryId)
      if (!found) return null
      const { file: source, facts } = await asFile(queryId, found)
      await database.use(async (connection) => {
        await connection.run(`SET TimeZone = ${quotedString(facts.timeZone)}`)
        await writeExport(connection, { source, facts, format, target })
      })
      return { bytes: (await sizeOf(target)) ?? 0 }
    },

    async drop(queryIds) {
      for (const queryId of queryIds) {
        await written(queryId)
        known.delete(queryId)
        for (const file of [resultFile, textFile]) await rm(file(places.results, queryId), { force: true })
      }
    },

    list: () => listFiles(places.results),
  }
  return refusing(results, mask)
}

type Mask = (message: string) => string

/** Failures in words that name no folder of this machine. */
function refusing(results: KeptResults, mask: Mask): KeptResults {
  return {
    read: explained(results.read, mask),
    cell: explained(results.cell, mask),
    export: explained(results.export, mask),
    drop: explained(results.drop, mask),
    list: explained(results.list, mask),
  }
}

function explained<A extends unknown[], T>(task: (...args: A) => Promise<T>, mask: Mask) {
  return async (...args: A): Promise<T> => {
    try {
      return await task(...args)
    } catch (error) {
      throw new ResultRefused(engineError(error, { sql: '', shift: 0 }, mask))
    }
  }
}

function outsideExports(): StatementRefused {
  const message = `An export goes into the folder "exports" of its account, and nowhere else.`
  return new StatementRefused({ kind: 'permission', message })
}

function shown({ name, type, family }: StoredColumn) {
  return { name, type, family }
}

type Rows = Pick<ResultRows, 'rows' | 'longCells'>

interface Window {
  readonly columns: readonly StoredColumn[]
  readonly first: number
  readonly count: number
  readonly longestCell?: number | undefined
}

async function readRows(
  connection: DuckDBConnection,
  { file, facts }: FoundFile,
  { columns, first, count, longestCell }: Window,
): Promise<Rows> {
  await connection.run(`SET TimeZone = ${quotedString(facts.timeZone)}`)
  const rows = `SELECT ${columns.map(restored).join(', ')} FROM read_parquet(${quotedString(file)}, file_row_number = true)`
  const result = await connection.run(
    `${rows} WHERE file_row_number >= ${Math.max(0, first)} AND file_row_number < ${first + count}`,
  )
  const options = { names: null, maxRows: count, longestCell }
  const { rows: read, longCells } = (await readResult(connection, result, options)).result
  return { rows: read, ...(longCells && { longCells }) }
}
