import { readColumnMapping, type MappedName } from '../parts/column-mapping.ts'
import type { Piece } from '../text/piece.ts'
import { openTokenReader, type TokenReader } from '../text/token-reader.ts'

/** A file of the client that is loaded into a table, as MySQL's clients write it. What is not written is null. */
export interface LoadData {
  /** The client sends it; otherwise the server would read a file of its own. */
  readonly isLocal: boolean
  readonly file: string
  readonly onDuplicate: 'replace' | 'ignore' | null
  /** Outermost first. */
  readonly table: readonly string[]
  readonly characterSet: string | null
  readonly fields: {
    readonly terminatedBy: string | null
    readonly enclosedBy: string | null
    readonly escapedBy: string | null
  }
  readonly lines: { readonly startingBy: string | null; readonly terminatedBy: string | null }
  /** Lines at the beginning that are no rows. */
  readonly skipped: number
  /** In the order of the file; a variable is a value for expressions alone. Null: the columns of the table. */
  readonly columns: readonly { readonly name: string; readonly isVariable: boolean }[] | null
  readonly set: readonly MappedName[]
}

/** Reads `WORD BY 'text'` for each word that is there, in any order; null where something else follows. */
function readTexts(reader: TokenReader, words: readonly string[]): Map<string, string> | null {
  const found = new Map<string, string>()
  for (;;) {
    if (reader.peek() === 'OPTIONALLY' && reader.peek(1) === 'ENCLOSED') reader.skip(1)
    const word = reader.take(...words)
    if (word === null) return found
    const text = reader.take('BY') ? reader.string() : null
    if (text === null || found.has(word)) return null
    found.set(word, text)
  }
}

function readColumns(reader: TokenReader): LoadData['columns'] | undefined {
  if (!reader.take('(')) return null
  const columns: { name: string; isVariable: boolean }[] = []
  do {
    const { statement } = reader
    const offset = reader.offset()
    const isVariable = statement.text.charAt(offset) === '@'
    if (isVariable && reader.peek() === '@') reader.skip(1)
    const name = isVariable && reader.offset() === offset ? parameterName(reader) : reader.value()
    if (name === null) return undefined
    columns.push({ name, isVariable })
  } while (reader.take(','))
  return reader.take(')') ? columns : undefined
}

/** `@x`, where it is one token. */
function parameterName(reader: TokenReader): string | null {
  const { statement } = reader
  const [, name] = /^@([\w$]+)/.exec(statement.text.slice(reader.offset())) ?? []
  if (name === undefined) return null
  reader.skip(1)
  return name
}

function readSet(reader: TokenReader): readonly MappedName[] | null {
  if (!reader.take('SET')) return []
  const text = reader.statement.text.slice(reader.offset()).replace(/;\s*$/, '')
  const set = readColumnMapping(text)
  if (!set?.every(({ expression }) => expression !== null)) return null
  reader.skip(reader.left())
  return set
}

/** LOAD DATA [LOCAL] INFILE 'file' [REPLACE|IGNORE] INTO TABLE t …; null where it cannot be read. */
export function readLoadData(statement: Piece): LoadData | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('LOAD', 'DATA')) return null
  reader.take('LOW_PRIORITY', 'CONCURRENT')
  const isLocal = reader.take('LOCAL') !== null
  const file = reader.take('INFILE') ? reader.string() : null
  const onDuplicate = reader.take('REPLACE', 'IGNORE')
  const table = file !== null && reader.takeAll('INTO', 'TABLE') ? reader.qualifiedName() : null
  if (file === null || !table) return null
  const hasCharacters = reader.takeAll('CHARACTER', 'SET') || reader.take('CHARSET') !== null
  const characterSet = hasCharacters ? reader.value() : null
  if (hasCharacters && characterSet === null) return null
  const fields = reader.take('FIELDS', 'COLUMNS')
    ? readTexts(reader, ['TERMINATED', 'ENCLOSED', 'ESCAPED'])
    : new Map<string, string>()
  const lines =
    fields && reader.take('LINES') ? readTexts(reader, ['STARTING', 'TERMINATED']) : new Map<string, string>()
  if (!fields || !lines) return null
  const isSkipping = reader.take('IGNORE') !== null
  const skipped = isSkipping ? Number(reader.value()) : 0
  if (isSkipping && (!Number.isInteger(skipped) || !reader.take('LINES', 'ROWS'))) return null
  const columns = readColumns(reader)
  const set = columns === undefined ? null : readSet(reader)
  if (columns === undefined || set === null || reader.left() > 0) return null
  return {
    isLocal,
    file,
    onDuplicate: onDuplicate === null ? null : onDuplicate === 'REPLACE' ? 'replace' : 'ignore',
    table,
    characterSet,
    fields: {
      terminatedBy: fields.get('TERMINATED') ?? null,
      enclosedBy: fields.get('ENCLOSED') ?? null,
      escapedBy: fields.get('ESCAPED') ?? null,
    },
    lines: { startingBy: lines.get('STARTING') ?? null, terminatedBy: lines.get('TERMINATED') ?? null },
    skipped,
    columns,
    set,
  }
}
