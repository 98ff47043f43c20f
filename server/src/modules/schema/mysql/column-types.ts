import type { ValueType } from '../../../engines/engine/columns.ts'
import { parseTypeName } from '../../../engines/engine/type-names.ts'

/** Characters of a text, as the protocol tells them: without a limit, clients would reserve room for gigabytes. */
const LONGEST_TEXT = 65_535

const ofText = (length: number | null): string => `varchar(${Math.min(length ?? LONGEST_TEXT, LONGEST_TEXT)})`

const WHOLE: Readonly<Record<number, string>> = { 8: 'tinyint', 16: 'smallint', 32: 'int', 64: 'bigint' }

/** Digits of a whole number of 128 bits. */
const HUGE = 'decimal(39,0)'

const ofFraction = (word: string, precision: number): string =>
  precision === 0 ? word : `${word}(${Math.min(precision, 6)})`

function wordFor(type: ValueType): string {
  switch (type.kind) {
    case 'boolean':
      return 'tinyint(1)'
    case 'integer':
      if (type.bits === null) return ofText(null)
      if (type.bits > 64) return HUGE
      return `${WHOLE[type.bits] ?? 'bigint'}${type.isSigned ? '' : ' unsigned'}`
    case 'decimal':
      return `decimal(${type.precision},${type.scale})`
    case 'float':
      return type.bits === 32 ? 'float' : 'double'
    case 'text':
      return ofText(type.length)
    case 'date':
      return 'date'
    case 'time':
      return type.isZoned ? ofText(null) : ofFraction('time', type.precision)
    case 'timestamp':
      return ofFraction(type.isZoned ? 'timestamp' : 'datetime', type.precision)
    case 'uuid':
      return 'char(36)'
    case 'binary':
      return 'longblob'
    case 'json':
    case 'list':
    case 'map':
    case 'struct':
    case 'union':
    case 'variant':
      return 'json'
    case 'bits':
    case 'enum':
    case 'geometry':
    case 'interval':
    case 'unknown':
      return ofText(null)
  }
}

const DEFAULTS = { timePrecision: 6, decimal: { precision: 18, scale: 3 } }

/** A type of a column in the words of MySQL: one that its clients know, whatever the engine calls it. */
export function mysqlType(engineType: string): string {
  const type = parseTypeName(engineType, DEFAULTS)
  // The members of an enum are a part of its name, and written alike.
  return type.kind === 'enum' && /^ENUM\(/i.test(engineType)
    ? `enum${engineType.slice(4).replaceAll("', '", "','")}`
    : wordFor(type)
}

/** Its values are compared as texts. */
export const isText = (type: string): boolean => /^(?:varchar|char|enum)\b/.test(type)
