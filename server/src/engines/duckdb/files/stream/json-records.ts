import { quotedString } from '@duckdb/node-api'
import { valueText, withAllDigits } from '../json-numbers.ts'
import type { SourceColumn } from './column-mapping.ts'
import { HAS_NO_COLUMN, IS_BROKEN, NUMBERED, type OpenedPart, rawName } from './raw-rows.ts'

const LARGEST_RECORD = 16 * 1024 * 1024
const NESTED = /^(?:STRUCT|MAP|UNION|JSON|VARIANT)\b|\]$/i

export const jsonOptions = ({ layout }: OpenedPart): string =>
  `format = '${layout}', compression = 'uncompressed', maximum_object_size = ${LARGEST_RECORD}`

/** As RFC 6901 writes a key. */
const pointer = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The records of a body, each as it is (`record`), and with all digits of its numbers (`digits`). */
function recordsOf(opened: OpenedPart): string {
  const { path, part, layout } = opened
  const { root, stripsArray } = part.json
  const ignoring = layout === 'newline_delimited' ? ', ignore_errors = true' : ''
  const all = `system.main.read_json_objects(${quotedString(path)}, ${jsonOptions(opened)}${ignoring})`
  if (root === null) return `(SELECT json AS record, json AS digits FROM ${all})`
  const each = (json: string): string => {
    const rooted = `system.main.json_extract(${json}, ${quotedString(root)})`
    return stripsArray
      ? `unnest(CASE WHEN system.main.json_type(${rooted}) = 'ARRAY' THEN system.main.json_extract(${rooted}, '$[*]') ELSE [${rooted}] END)`
      : rooted
  }
  return `(SELECT ${each('json')} AS record, ${each(withAllDigits('json'))} AS digits FROM ${all})`
}

/** Selects the sources of the records as texts; nested ones as JSON. */
export function rawRecords(opened: OpenedPart, sources: readonly SourceColumn[]): string {
  const { part } = opened
  const places = sources.map(({ name }, at) => quotedString(part.json.paths?.[at] ?? pointer(name)))
  const valueOf = ({ type }: SourceColumn, place: string): string => {
    if (NESTED.test(type)) {
      const nested = `system.main.json_extract(record, ${place})`
      return `CASE WHEN system.main.json_type(${nested}) <> 'NULL' THEN ${nested} END`
    }
    const text = valueText('digits', place, type)
    return part.trims ? `system.main.trim(${text})` : text
  }
  const values = sources.map((source, at) => `${valueOf(source, places[at] ?? '')} AS ${rawName(at)}`)
  const all = (of: (place: string) => string): string => places.map(of).join(' AND ')
  const isEmpty = all((place) => `system.main.json_extract_string(digits, ${place}) IS NULL`)
  const isUnknown = all((place) => `NOT system.main.json_exists(record, ${place})`)
  const faults = [
    `(record IS NULL OR system.main.json_type(record) <> 'OBJECT') AS ${IS_BROKEN}`,
    `(CASE WHEN ${isEmpty} THEN coalesce(${isUnknown}, true) ELSE false END) AS ${HAS_NO_COLUMN}`,
  ]
  return `SELECT ${[...values, ...faults, NUMBERED].join(', ')} FROM ${recordsOf(opened)}`
}
