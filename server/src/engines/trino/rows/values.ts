import type { ValueType } from '../../engine/columns.ts'
import { doubleText, singleText } from '../../engine/float-text.ts'
import type { Cell } from '../../engine/rows.ts'
import { bytesText, memberOf, quotedMember } from '../../engine/value-texts.ts'
import { instantText, intervalText, withoutZeros } from './temporal-text.ts'

type ValueText = (value: unknown) => Cell

/** The text of the values of a column, as every engine writes it. Chosen once for each column. */
export function valueText(type: ValueType): ValueText {
  const text = textOf(type)
  return (value) => (value === null || value === undefined ? null : text(value))
}

function textOf(type: ValueType): (value: unknown) => string {
  switch (type.kind) {
    case 'float':
      return type.bits === 32
        ? (value) => singleText(Math.fround(Number(value)))
        : (value) => doubleText(Number(value))
    case 'binary':
      return (value) => bytesText(Buffer.from(String(value), 'base64'))
    case 'time':
      return (value) => withoutZeros(String(value))
    case 'timestamp':
      return type.isZoned ? (value) => instantText(String(value)) : (value) => withoutZeros(String(value))
    case 'interval':
      return (value) => intervalText(String(value))
    case 'list':
      return listText(type.element)
    case 'map':
      return mapText(type)
    case 'struct':
      return structText(type.fields)
    case 'bits':
    case 'boolean':
    case 'date':
    case 'decimal':
    case 'enum':
    case 'geometry':
    case 'integer':
    case 'json':
    case 'text':
    case 'union':
    case 'unknown':
    case 'uuid':
    case 'variant':
      return plainText
  }
}

const plainText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

const NESTED = new Set<ValueType['kind']>(['list', 'map', 'struct'])

/** Inside of another value NULL has a name. */
function memberText(type: ValueType): (value: unknown) => string {
  const text = valueText(type)
  if (NESTED.has(type.kind)) return (value) => text(value) ?? 'NULL'
  return (value) => {
    const plain = text(value)
    return plain === null ? 'NULL' : memberOf(plain)
  }
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function listText(element: ValueType): (value: unknown) => string {
  const item = memberText(element)
  return (value) => `[${itemsOf(value).map(item).join(', ')}]`
}

/** Its keys come as texts, whatever they are. */
function mapText({ key, value: of }: Extract<ValueType, { kind: 'map' }>): (value: unknown) => string {
  const [keyText, itemText] = [memberText(key), memberText(of)]
  return (value) => {
    const entries = Object.entries(value as Record<string, unknown>)
    return `{${entries.map(([name, item]) => `${keyText(name)}=${itemText(item)}`).join(', ')}}`
  }
}

/** Its values come without names. */
function structText(
  fields: Extract<ValueType, { kind: 'struct' | 'union' }>['fields'],
): (value: unknown) => string {
  const members = fields.map(({ type }) => memberText(type))
  const isUnnamed = fields.every(({ name }) => name === '')
  return (value) => {
    const values = itemsOf(value)
    const parts = members.map((text, at) => {
      const member = text(values[at])
      return isUnnamed ? member : `${quotedMember(fields[at]?.name ?? '')}: ${member}`
    })
    return isUnnamed ? `(${parts.join(', ')})` : `{${parts.join(', ')}}`
  }
}
