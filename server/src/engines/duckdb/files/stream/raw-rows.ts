import { quotedIdentifier } from '@duckdb/node-api'
import type { StreamPart } from '../../../engine/files.ts'

export type JsonLayout = 'array' | 'newline_delimited' | 'unstructured'

/** Data of a part, and how it lies in its file. */
export interface OpenedPart {
  readonly path: string
  readonly part: StreamPart
  readonly layout: JsonLayout
}

/** A source as it is in the data, before it has a type. */
export const rawName = (at: number): string => quotedIdentifier(`\u0001${at}`)
export const IS_BROKEN = quotedIdentifier('\u0001broken')
export const HAS_NO_COLUMN = quotedIdentifier('\u0001strange')
export const ROW_NUMBER = quotedIdentifier('\u0001row')

export const NUMBERED = `system.main.row_number() OVER () AS ${ROW_NUMBER}`
/** Of rows that can always be taken apart into values. */
export const NO_FAULTS = `false AS ${IS_BROKEN}, false AS ${HAS_NO_COLUMN}`
