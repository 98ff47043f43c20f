import { join } from 'node:path'
import type { Column } from '../engines/engine/columns.ts'
import type { Cell } from '../engines/engine/rows.ts'
import { ResultRefused } from './reader.ts'

/**
 * How a kept result lies in its account's folder. An engine writes it, by `keep-rows.ts` unless it has a way of its own;
 * the service removes it, and a reader reads it; nobody else does any of that. It is a Parquet file of values with its facts as JSON under the key `boathouse`, or,
 * when it is small, a JSON file of facts and texts. A file is written aside and renamed: it is there as a whole or not
 * at all.
 */
export interface ResultFacts {
  readonly columns: readonly StoredColumn[]
  readonly rows: number
  /** False: the statement gave more. */
  readonly complete: boolean
  /** In which its instants are shown. */
  readonly timeZone: string
  /** In the file of values all columns are texts, whatever they are read as. */
  readonly holdsTexts?: boolean
}

/** A column of a kept result and how it lies in the file. */
export interface StoredColumn extends Column {
  /** Its name in the file, where no two are the same. */
  readonly field: string
  /** The type its values are read as. */
  readonly readAs: string
  /** Parquet cannot hold its values exactly: the file has their text. */
  readonly isText: boolean
}

/** A small result as the texts that were shown of it. Costs a tenth of a Parquet file to write. */
export interface TextResult {
  readonly facts: ResultFacts
  readonly rows: readonly (readonly Cell[])[]
}

export interface ResultPlaces {
  readonly results: string
  readonly exports: string
}

export function placesIn(accountDirectory: string): ResultPlaces {
  return { results: join(accountDirectory, 'results'), exports: join(accountDirectory, 'exports') }
}

/** A file that is being written. */
export const UNFINISHED = '.new'
export const FACTS_KEY = 'boathouse'

export const valuesFile = (directory: string, queryId: string): string =>
  join(directory, `${checkId(queryId)}.parquet`)

export const textsFile = (directory: string, queryId: string): string =>
  join(directory, `${checkId(queryId)}.json`)

/** Ids name files: they come from the service, which makes them itself. */
function checkId(queryId: string): string {
  if (/^[\w-]{1,100}$/.test(queryId)) return queryId
  throw new ResultRefused({ kind: 'syntax', message: 'A query id has letters, digits, - and _ only.' })
}

/** The same with no more rows than these. */
export function cut(facts: ResultFacts, rows: number): ResultFacts {
  return facts.rows <= rows ? facts : { ...facts, rows, complete: false }
}
