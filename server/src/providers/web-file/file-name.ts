import type { IncomingHttpHeaders } from 'node:http'
import { formatOfName, LIMITS } from '@boathouse/contract'

const ENDINGS: Readonly<Record<string, string>> = {
  'text/csv': '.csv',
  'application/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/json': '.json',
  'application/x-ndjson': '.ndjson',
  'application/jsonl': '.ndjson',
  'application/vnd.apache.parquet': '.parquet',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
}

/** What files begin with, whatever they are called. */
const BEGINNINGS: readonly (readonly [begin: Buffer, ending: string, known: RegExp])[] = [
  [Buffer.from('PAR1'), '.parquet', /\.parquet$/i],
  [Buffer.from([0x1f, 0x8b]), '.gz', /\.gz$/i],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), '.zst', /\.zst$/i],
  [Buffer.from([0x50, 0x4b, 0x03, 0x04]), '.zip', /\.(zip|xlsx|xlsm)$/i],
]

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const typeOf = (headers: IncomingHttpHeaders): string =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''

/** As its server calls it; else the last part of its address. */
function nameGiven(disposition: string, path: string): string {
  const [, coded] = /filename\*=utf-8''([^;]+)/i.exec(disposition) ?? []
  const [, quoted, bare] = /filename="([^"]*)"|filename=([^;]+)/i.exec(disposition) ?? []
  const given = coded === undefined ? (quoted ?? bare) : decoded(coded)
  const whole = given?.trim() || decoded(path)
  const last = whole.split(/[/\\]/).at(-1) ?? ''
  return last.replaceAll(/\p{Cc}|\p{Surrogate}/gu, '').trim() || 'download'
}

/** The name of a file that was asked for, with the ending that its type or its first bytes give it. */
export function nameOf(path: string, headers: IncomingHttpHeaders, first: Buffer): string {
  const given = nameGiven(headers['content-disposition'] ?? '', path)
  const [, begins = '', known] =
    BEGINNINGS.find(([begin]) => first.subarray(0, begin.length).equals(begin)) ?? []
  const isNamed = formatOfName(given) !== null || begins === '.parquet'
  const byType = isNamed ? '' : (ENDINGS[typeOf(headers)] ?? '')
  const endings = `${byType}${known?.test(given + byType) ? '' : begins}`
  return given.slice(0, LIMITS.fileNameLength - endings.length) + endings
}
