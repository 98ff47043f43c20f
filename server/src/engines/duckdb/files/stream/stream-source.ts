import { open } from 'node:fs/promises'
import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { StreamPart } from '../../../engine/files.ts'
import { csvSource } from '../csv-source.ts'
import type { SourceColumn } from './column-mapping.ts'

/** Data of a part, and how it lies in its file. */
export interface OpenedPart {
  readonly path: string
  readonly part: StreamPart
  readonly layout: JsonLayout
}

type JsonLayout = 'array' | 'newline_delimited' | 'unstructured'

const HEAD_BYTES = 256 * 1024
const LARGEST_RECORD = 16 * 1024 * 1024

/** A list, a record on each line, or records over several lines. What it is not is found out when it is read. */
export async function layoutOf(path: string, { reading }: Pick<StreamPart, 'reading'>): Promise<JsonLayout> {
  if (reading.format !== 'json') return 'newline_delimited'
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await file.read({ buffer, position: 0 })
    const head = buffer.subarray(0, bytesRead).toString('latin1').trimStart()
    if (head.startsWith('[')) return 'array'
    const end = head.indexOf('\n')
    const line = end < 0 ? null : head.slice(0, end).trim()
    return line === null || line.endsWith('}') ? 'newline_delimited' : 'unstructured'
  } finally {
    await file.close()
  }
}

/** Of a CSV text, what a program writes where there is no value. */
const NULL_TEXT = `nullstr = '\\N'`

const jsonOptions = ({ layout }: OpenedPart): string =>
  `format = '${layout}', compression = 'uncompressed', maximum_object_size = ${LARGEST_RECORD}`

const isText = (type: string): boolean => /^(?:VARCHAR|CHAR|TEXT|STRING)\b/i.test(type)

const trimmed = ({ trims }: StreamPart, name: string): string =>
  trims ? `system.main.trim(${quotedIdentifier(name)})` : quotedIdentifier(name)

/** True of what is larger than the type can hold, and would be infinite; null: the type holds no such numbers. */
export const isOverflow = (value: string, type: string): string | null =>
  /^(?:FLOAT|DOUBLE|REAL)\b/i.test(type) ? `system.main.isinf(${value})` : null

/** True of a text with a character that no client and no statement can hold; null: the type holds no texts. */
export const hasNul = (value: string, type: string): string | null =>
  isText(type) ? `system.main.contains(${value}, system.main.chr(0))` : null

const unless = (isBad: string | null, value: string, words: string): string =>
  isBad === null
    ? value
    : `CASE WHEN ${isBad} THEN system.main.error(${quotedString(words)}) ELSE ${value} END`

/** Fails on a number that its type cannot hold. */
const bounded = (value: string, { type, name }: SourceColumn): string =>
  unless(isOverflow(value, type), value, `A value of ${name} is out of range.`)

/** A value that is to be stored; it fails on a text with NUL. */
export function storable({ name, type }: SourceColumn): string {
  const value = quotedIdentifier(name)
  return unless(hasNul(value, type), value, `A value of ${name} has a NUL character.`)
}

const listed = (columns: readonly SourceColumn[], type?: string): string =>
  columns.map((one) => `${quotedString(one.name)}: ${quotedString(type ?? one.type)}`).join(', ')

/** Whether all values can be read as what they are to be, in one go. */
export const isReadAtOnce = ({ json }: StreamPart): boolean => json.paths === null && json.root === null

/** Selects the sources under their names, with their types. It fails, or notes a reject, when one does not fit. */
export function typedSource(
  opened: OpenedPart,
  sources: readonly SourceColumn[],
  noting: readonly string[],
): string {
  const { path, part } = opened
  const { format } = part.reading
  const values = sources.map((source) => {
    const { name, type } = source
    const read = isText(type) ? trimmed(part, name) : quotedIdentifier(name)
    const value = format === 'parquet' ? `CAST(${quotedIdentifier(name)} AS ${type})` : bounded(read, source)
    return `${value} AS ${quotedIdentifier(name)}`
  })
  const from =
    format === 'csv'
      ? csvSource(path, part.reading, { columns: sources, onBroken: [NULL_TEXT, ...noting] })
      : format === 'parquet'
        ? `system.main.read_parquet(${quotedString(path)})`
        : `system.main.read_json(${quotedString(path)}, columns = {${listed(sources)}}, ${jsonOptions(opened)})`
  return `SELECT ${values.join(', ')} FROM ${from}`
}

/** A source as it is in the data, before it has a type. */
export const rawName = (at: number): string => quotedIdentifier(`\u0001${at}`)
export const IS_BROKEN = quotedIdentifier('\u0001broken')
export const ROW_NUMBER = quotedIdentifier('\u0001row')

const TEXT = 'VARCHAR'
const NESTED = /^(?:STRUCT|MAP|UNION|JSON|VARIANT)\b|\]$/i

/** Selects the sources as texts, whether they fit or not, and whether the record can be read at all. */
export function rawSource(
  opened: OpenedPart,
  sources: readonly SourceColumn[],
  csvErrors: readonly string[],
): string {
  const { path, part } = opened
  const row = `system.main.row_number() OVER () AS ${ROW_NUMBER}`
  if (part.reading.format === 'json') return rawRecords(opened, sources, row)
  const values = sources.map(({ name }, at) => `${trimmed(part, name)} AS ${rawName(at)}`)
  const from =
    part.reading.format === 'parquet'
      ? `system.main.read_parquet(${quotedString(path)})`
      : csvSource(path, part.reading, {
          columns: sources.map(({ name }) => ({ name, type: TEXT })),
          onBroken: [NULL_TEXT, ...csvErrors],
        })
  const list = part.reading.format === 'parquet' ? sources.map(plainRaw) : values
  return `SELECT ${list.join(', ')}, false AS ${IS_BROKEN}, ${row} FROM ${from}`
}

const plainRaw = ({ name }: SourceColumn, at: number): string => `${quotedIdentifier(name)} AS ${rawName(at)}`

/** As RFC 6901 writes a key. */
const pointer = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

function rawRecords(opened: OpenedPart, sources: readonly SourceColumn[], row: string): string {
  const { path, part, layout } = opened
  const { paths, root, stripsArray } = part.json
  const ignoring = layout === 'newline_delimited' ? ', ignore_errors = true' : ''
  const all = `system.main.read_json_objects(${quotedString(path)}, ${jsonOptions(opened)}${ignoring})`
  const rooted = root === null ? 'json' : `system.main.json_extract(json, ${quotedString(root)})`
  const each =
    root !== null && stripsArray
      ? `unnest(CASE WHEN system.main.json_type(${rooted}) = 'ARRAY' THEN system.main.json_extract(${rooted}, '$[*]') ELSE [${rooted}] END)`
      : rooted
  const values = sources.map(({ name, type }, at) => {
    const place = quotedString(paths?.[at] ?? pointer(name))
    const text = `system.main.json_extract_string(record, ${place})`
    const value = part.trims ? `system.main.trim(${text})` : text
    if (!NESTED.test(type)) return `${value} AS ${rawName(at)}`
    const nested = `system.main.json_extract(record, ${place})`
    return `CASE WHEN system.main.json_type(${nested}) <> 'NULL' THEN ${nested} END AS ${rawName(at)}`
  })
  const broken = `(record IS NULL OR system.main.json_type(record) <> 'OBJECT') AS ${IS_BROKEN}`
  return `SELECT ${[...values, broken, row].join(', ')} FROM (SELECT ${each} AS record FROM ${all})`
}
