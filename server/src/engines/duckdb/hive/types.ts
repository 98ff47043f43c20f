import { quotedIdentifier } from '@duckdb/node-api'

/** A type as Hive and Glue write it, read. */
export type HiveType =
  | { readonly kind: 'plain'; readonly name: string }
  | { readonly kind: 'array'; readonly element: HiveType }
  | { readonly kind: 'map'; readonly key: HiveType; readonly value: HiveType }
  | { readonly kind: 'struct'; readonly fields: readonly (readonly [name: string, type: HiveType])[] }

/** Of which this engine has its own. */
const PLAIN: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  tinyint: 'TINYINT',
  byte: 'TINYINT',
  smallint: 'SMALLINT',
  short: 'SMALLINT',
  int: 'INTEGER',
  integer: 'INTEGER',
  bigint: 'BIGINT',
  long: 'BIGINT',
  float: 'FLOAT',
  real: 'FLOAT',
  double: 'DOUBLE',
  'double precision': 'DOUBLE',
  decimal: 'DECIMAL(10, 0)',
  numeric: 'DECIMAL(10, 0)',
  string: 'VARCHAR',
  char: 'VARCHAR',
  varchar: 'VARCHAR',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  'timestamp with local time zone': 'TIMESTAMP WITH TIME ZONE',
  timestamptz: 'TIMESTAMP WITH TIME ZONE',
  binary: 'BLOB',
}

/** Behind the name of a type, or of a part of one. */
const END = /[<>,:(]/g

const DEEPEST = 32
const MOST_PARTS = 10_000

/** Not a type that is read here, as a sentence without its end. */
export class TypeRefused extends Error {
  override readonly name = 'TypeRefused'
}

const shown = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** Reads one type from the beginning of a text, a part at a time. */
class TypeReader {
  private at = 0
  private parts = 0

  constructor(
    private readonly text: string,
    private readonly column: string,
  ) {}

  whole(): HiveType {
    const type = this.type(0)
    if (this.at < this.text.length) throw this.refused()
    return type
  }

  private type(depth: number): HiveType {
    if (depth > DEEPEST || ++this.parts > MOST_PARTS) throw this.refused()
    const name = this.word().toLowerCase()
    if (this.text[this.at] === '<') return this.nested(name, depth)
    if (this.text[this.at] !== '(') return this.known(name)
    const end = this.text.indexOf(')', this.at)
    if (end < 0) throw this.refused()
    const sizes = this.text.slice(this.at, end + 1).replaceAll(/\s/g, '')
    this.at = end + 1
    return this.known(`${name}${sizes}`)
  }

  private nested(name: string, depth: number): HiveType {
    this.at++
    if (name === 'array') {
      const element = this.type(depth + 1)
      this.take('>')
      return { kind: 'array', element }
    }
    if (name === 'map') {
      const key = this.type(depth + 1)
      this.take(',')
      const value = this.type(depth + 1)
      this.take('>')
      return { kind: 'map', key, value }
    }
    if (name !== 'struct') throw this.refused()
    const fields: [string, HiveType][] = []
    do {
      const field = this.word()
      this.take(':')
      if (field === '') throw this.refused()
      fields.push([field, this.type(depth + 1)])
    } while (this.text[this.at++] === ',')
    if (this.text[this.at - 1] !== '>') throw this.refused()
    return { kind: 'struct', fields }
  }

  private known(name: string): HiveType {
    if (plainType(name) === null) throw this.refused()
    return { kind: 'plain', name }
  }

  private word(): string {
    END.lastIndex = this.at
    const end = END.exec(this.text)?.index ?? this.text.length
    const word = this.text.slice(this.at, end).trim()
    this.at = end
    return word
  }

  private take(character: string): void {
    if (this.text[this.at++] !== character) throw this.refused()
  }

  private refused(): TypeRefused {
    return new TypeRefused(
      `its column ${shown(this.column)} has the type ${shown(this.text)}, which this engine does not read`,
    )
  }
}

/** Null: it has none for it. */
function plainType(name: string): string | null {
  const known = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined
  if (known !== undefined) return known
  if (/^(?:var)?char\(\d{1,5}\)$/.test(name)) return 'VARCHAR'
  const [, precision = '', scale = '0'] = /^(?:decimal|numeric)\((\d{1,2})(?:,(\d{1,2}))?\)$/.exec(name) ?? []
  if (precision === '') return null
  const isGood = Number(precision) >= 1 && Number(precision) <= 38 && Number(scale) <= Number(precision)
  return isGood ? `DECIMAL(${Number(precision)}, ${Number(scale)})` : null
}

/** Throws a `TypeRefused`. */
export const hiveType = (text: string, column: string): HiveType => new TypeReader(text, column).whole()

/** As this engine writes it. */
export function writtenType(type: HiveType): string {
  switch (type.kind) {
    case 'plain':
      return plainType(type.name) ?? 'VARCHAR'
    case 'array':
      return `${writtenType(type.element)}[]`
    case 'map':
      return `MAP(${writtenType(type.key)}, ${writtenType(type.value)})`
    case 'struct':
      return `STRUCT(${type.fields.map(([name, part]) => `${quotedIdentifier(name)} ${writtenType(part)}`).join(', ')})`
  }
}
