import {
  type DuckDBType,
  type DuckDBValue,
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTypeId,
  DuckDBUnionType,
  DuckDBUnionValue,
  DuckDBVariantType,
  DuckDBVariantValue,
} from '@duckdb/node-api'
import { memberOf, quotedMember } from '../../engine/value-texts.ts'
import type { ValueText } from './values.ts'

type TextOf = (type: DuckDBType) => ValueText

/** Null for a type that holds no other values. */
export function nestedValueText(type: DuckDBType, textOf: TextOf): ValueText | null {
  if (type instanceof DuckDBListType) return listText(type, textOf)
  if (type instanceof DuckDBArrayType) return arrayText(type, textOf)
  if (type instanceof DuckDBStructType) return structText(type, textOf)
  if (type instanceof DuckDBMapType) return mapText(type, textOf)
  if (type instanceof DuckDBUnionType) return unionText(type, textOf)
  if (type instanceof DuckDBVariantType) return variantText(textOf)
  return null
}

function listText(type: DuckDBListType, textOf: TextOf): ValueText {
  const item = isJson(type.valueType) ? plainItem(type.valueType, textOf) : memberText(type.valueType, textOf)
  return (value) => `[${(value instanceof DuckDBListValue ? value.items : []).map(item).join(', ')}]`
}

const isJson = (type: DuckDBType): boolean => type.alias === 'JSON'

function plainItem(type: DuckDBType, textOf: TextOf): (value: DuckDBValue) => string {
  const text = textOf(type)
  return (value) => text(value) ?? 'NULL'
}

// DuckDB quotes the items of a list unless they are JSON, and never those of a fixed-size array.
function arrayText(type: DuckDBArrayType, textOf: TextOf): ValueText {
  const item = plainItem(type.valueType, textOf)
  return (value) => `[${(value instanceof DuckDBArrayValue ? value.items : []).map(item).join(', ')}]`
}

function structText(type: DuckDBStructType, textOf: TextOf): ValueText {
  const unnamed = type.entryNames.every((name) => name === '')
  const members = type.entryTypes.map((entry) => memberText(entry, textOf))
  return (value) => {
    const entries = value instanceof DuckDBStructValue ? value.entries : {}
    const parts = members.map((text, at) => {
      const name = type.entryNames[at] ?? ''
      const key = Object.hasOwn(entries, positionKey(at)) ? positionKey(at) : name
      const member = text(entries[key] ?? null)
      return unnamed ? member : `${quotedMember(name)}: ${member}`
    })
    return unnamed ? `(${parts.join(', ')})` : `{${parts.join(', ')}}`
  }
}

function mapText(type: DuckDBMapType, textOf: TextOf): ValueText {
  const key = memberText(type.keyType, textOf)
  const item = memberText(type.valueType, textOf)
  return (value) => {
    const entries = value instanceof DuckDBMapValue ? value.entries : []
    return `{${entries.map((entry) => `${key(entry.key)}=${item(entry.value)}`).join(', ')}}`
  }
}

function unionText(type: DuckDBUnionType, textOf: TextOf): ValueText {
  const members = new Map(type.memberTypes.map((member, at) => [type.memberTags[at], textOf(member)]))
  return (value) =>
    value instanceof DuckDBUnionValue ? (members.get(value.tag)?.(value.value) ?? 'NULL') : null
}

/** Every value of a VARIANT brings its own type. */
function variantText(textOf: TextOf): ValueText {
  return (value) =>
    value instanceof DuckDBVariantValue && value.type ? textOf(value.type)(value.value) : null
}

const NEVER_QUOTED = new Set([
  DuckDBTypeId.LIST,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.MAP,
  DuckDBTypeId.UNION,
  DuckDBTypeId.VARIANT,
])

/** Inside another value NULL has a name, and text that could be mistaken for syntax is quoted. */
function memberText(type: DuckDBType, textOf: TextOf): (value: DuckDBValue) => string {
  const text = textOf(type)
  if (NEVER_QUOTED.has(type.typeId)) return (value) => text(value) ?? 'NULL'
  return (value) => {
    const plain = text(value)
    if (plain === null) return 'NULL'
    return memberOf(plain)
  }
}

// No field name can be mistaken for it: a name given in SQL never holds U+0000.
function positionKey(at: number): string {
  return `\0${at}`
}

/**
 * The driver hands structs over as objects keyed by field name, where the unnamed fields of a tuple would
 * overwrite each other and `__proto__` would vanish. The type given is the one a vector was made with: it is
 * changed in place so that the fields of that vector's values are keyed by their position. Values inside a
 * VARIANT keep their names.
 */
export function keyByPosition(type: DuckDBType): void {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) keyByPosition(type.valueType)
  if (type instanceof DuckDBMapType) [type.keyType, type.valueType].forEach(keyByPosition)
  if (type instanceof DuckDBUnionType) type.memberTypes.forEach(keyByPosition)
  if (type instanceof DuckDBStructType) {
    const names = type.entryNames as string[]
    names.forEach((_, at) => (names[at] = positionKey(at)))
    type.entryTypes.forEach(keyByPosition)
  }
}
