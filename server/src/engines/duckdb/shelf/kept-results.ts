import { rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import { type KeptResults, ResultRefused, type ResultRows } from '../../engine.ts'
import { StatementRefused, engineError } from '../errors.ts'
import { readResult } from '../result-rows.ts'
import { writeExport } from './export-file.ts'
import { type ResultFacts, listFiles, readFacts, resultFile, sizeOf } from './result-file.ts'
import type { ShelfDatabase } from './shelf-database.ts'
import { type StoredColumn, restored } from './stored-columns.ts'

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

interface Found {
  readonly file: string
  readonly facts: ResultFacts
}

// Of results lately read: whoever scrolls asks for the same one again and again.
const MOST_FACTS_KEPT = 100

export function createKeptResults({ database, places, written, mask }: KeptResultsOptions): KeptResults {
  const known = new Map<string, ResultFacts>()

  async function find(queryId: string): Promise<Found | null> {
    const file = resultFile(places.results, queryId)
    await written(queryId)
    if ((await sizeOf(file)) === null) return null
    const facts = known.get(queryId) ?? (await database.use((connection) => readFacts(connection, file)))
    known.delete(queryId)
    known.set(queryId, facts)
    for (const oldest of known.keys()) if (known.size > MOST_FACTS_KEPT) known.delete(oldest)
    return { file, facts }
  }

  const results: KeptResults = {
    async read(queryId, { offset, limit }) {
      const found = await find(queryId)
      if (!found) return null
      const { columns, rows: totalRows, complete } = found.facts
      const read = await database.use((connection) =>
        readRows(connection, found, { columns, first: offset, count: limit }),
      )
      const truncated = offset + read.rows.length < totalRows
      return { ...read, columns: columns.map(shown), truncated, totalRows, complete }
    },

    async cell(queryId, { row, column: at }) {
      const found = await find(queryId)
      const column = found?.facts.columns[at]
      if (!found || !column || row < 0 || row >= found.facts.rows) return null
      const { rows } = await database.use((connection) =>
        readRows(connection, found, { columns: [column], first: row, count: 1 }),
      )
      return { text: rows[0]?.[0] ?? null }
    },

    async export(queryId, format, file) {
      const target = resolve(file)
      if (dirname(target) !== places.exports) throw outsideExports()
      const found = await find(queryId)
      if (!found) return null
      const { file: source, facts } = found
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
        await rm(resultFile(places.results, queryId), { force: true })
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

interface Window {
  readonly columns: readonly StoredColumn[]
  readonly first: number
  readonly count: number
}

async function readRows(
  connection: DuckDBConnection,
  { file, facts }: Found,
  { columns, first, count }: Window,
): Promise<ResultRows> {
  await connection.run(`SET TimeZone = ${quotedString(facts.timeZone)}`)
  const rows = `SELECT ${columns.map(restored).join(', ')} FROM read_parquet(${quotedString(file)}, file_row_number = true)`
  const result = await connection.run(
    `${rows} WHERE file_row_number >= ${Math.max(0, first)} AND file_row_number < ${first + count}`,
  )
  return readResult(connection, result, { names: null, maxRows: count })
}
