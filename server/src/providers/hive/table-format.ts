import type { HiveFormat } from '../../kernel/hive-table.ts'
import type { Table } from './table-answers.ts'

type Words = Readonly<Record<string, string>>

/** What a SerDe writes for the characters that a text cannot hold well. */
const NAMED: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\\\': '\\' }

/** A character itself, or its number: `\u0001`, `\001`, `1`. */
function characterIn(text: string): string {
  const named = NAMED[text]
  if (named !== undefined) return named
  const [, hex, octal] = /^\\u([\da-f]{4})$|^\\([0-7]{3})$/i.exec(text) ?? []
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
  return text
}

const LARGEST_SKIP = 1_000

/** A sentence without its end where it would be read wrongly. */
function csvProblem(words: Words): string | null {
  if (Number(words['skip.footer.line.count'] ?? 0) > 0) return 'lines at the end of its files are no rows'
  if (!['\n', '10', undefined].includes(words['line.delim'] && characterIn(words['line.delim'])))
    return 'its lines end in another way than with a line feed'
  const encoding = words['serialization.encoding'] ?? 'utf-8'
  return /^utf-?8$/i.test(encoding) ? null : 'its files are not in UTF-8'
}

function skippedIn(words: Words): number | string {
  const lines = Number(words['skip.header.line.count'] ?? 0)
  const isGood = Number.isSafeInteger(lines) && lines >= 0 && lines <= LARGEST_SKIP
  return isGood ? lines : 'it says in no number how many lines of its files are no rows'
}

/** Text with a character between values, as Hive writes it. */
function delimited(words: Words): HiveFormat | string {
  const skippedLines = skippedIn(words)
  const problem = csvProblem(words)
  if (problem !== null) return problem
  if (typeof skippedLines === 'string') return skippedLines
  const declared = words['field.delim'] ?? words['serialization.format'] ?? '1'
  // By default a number: that of the character.
  const delimiter = /^\d{1,3}$/.test(declared) ? String.fromCharCode(Number(declared)) : characterIn(declared)
  if (Buffer.byteLength(delimiter) > 4 || delimiter === '')
    return 'the text between its values is longer than 4 bytes'
  return {
    kind: 'csv',
    delimiter,
    quote: words['quote.delim'] === undefined ? '' : characterIn(words['quote.delim']),
    escape: words['escape.delim'] === undefined ? '' : characterIn(words['escape.delim']),
    skippedLines,
    nullText: words['serialization.null.format'] ?? String.raw`\N`,
  }
}

function quoted(words: Words): HiveFormat | string {
  const skippedLines = skippedIn(words)
  const problem = csvProblem(words)
  if (problem !== null) return problem
  if (typeof skippedLines === 'string') return skippedLines
  const [delimiter, quote, escape] = [
    words['separatorChar'] ?? ',',
    words['quoteChar'] ?? '"',
    words['escapeChar'] ?? '\\',
  ].map(characterIn)
  return {
    kind: 'csv',
    delimiter: delimiter ?? '',
    quote: quote ?? '',
    escape: escape ?? '',
    skippedLines,
    nullText: null,
  }
}

function json(words: Words): HiveFormat | string {
  if (Object.keys(words).some((key) => key.startsWith('mapping.')))
    return 'its columns have other names in its files (mapping)'
  return { kind: 'json', ignoresMalformed: words['ignore.malformed.json']?.toLowerCase() === 'true' }
}

const READ: Readonly<Record<string, (words: Words) => HiveFormat | string>> = {
  parquet: () => ({ kind: 'parquet' }),
  csv: delimited,
  quoted,
  json,
}

const OF_SERDE: readonly (readonly [RegExp, string])[] = [
  [/\.ParquetHiveSerDe$/, 'parquet'],
  [/\.LazySimpleSerDe$/, 'csv'],
  [/\.OpenCSVSerde$/, 'quoted'],
  [/\.JsonSerDe$/i, 'json'],
]

const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/\.OrcSerde$/, 'its files are in the format ORC'],
  [/\.AvroSerDe$/, 'its files are in the format Avro'],
]

const PLAIN = /^[\w.$]{1,200}$/

/** How the files of a table are read; a sentence without its end when they are not. */
export function formatOf({ StorageDescriptor: storage, Parameters: own }: Table): HiveFormat | string {
  const serde = storage?.SerdeInfo?.SerializationLibrary ?? ''
  const words: Words = { ...own, ...storage?.SerdeInfo?.Parameters }
  if (/SymlinkTextInputFormat/.test(storage?.InputFormat ?? ''))
    return 'its files are named by other files (symlinks), and Parquet, CSV and JSON files are read'
  const packed = /SequenceFile|RCFile/.exec(storage?.InputFormat ?? '')
  if (packed) return `its files are in the format ${packed[0]}, and Parquet, CSV and JSON files are read`
  const other = OTHERS.find(([name]) => name.test(serde))
  if (other) return `${other[1]}, and Parquet, CSV and JSON files are read`
  const known = OF_SERDE.find(([name]) => name.test(serde))?.[1]
  if (known !== undefined) return READ[known]?.(words) ?? ''
  // Programs of AWS leave the SerDe out, and say it in a word.
  const declared = serde === '' ? (own?.['classification'] ?? '').toLowerCase() : ''
  if (declared in READ && declared !== 'quoted') return READ[declared]?.(words) ?? ''
  const what = PLAIN.test(serde) ? `the SerDe ${serde}` : 'a format that is not known here'
  return `its files are written with ${what}, and Parquet, CSV and JSON files are read`
}
