import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import { foldedName } from '../../../kernel/same-name.ts'
import { type HiveType, writtenType } from './types.ts'

const pointer = (key: string): string => quotedString(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)

/** Of nested values, each has a name of its own. */
const named = (what: string, depth: number): string => `${what}${depth}`

/** A value of an object by its key, whatever the letter case in which that is written: names are alike in Hive. */
function valueOf(object: string, key: string, depth: number): string {
  const one = named('k', depth)
  const same = `list_filter(json_keys(${object}), lambda ${one}: lower(${one}) = ${quotedString(foldedName(key))})[1]`
  return `coalesce(json_extract(${object}, ${pointer(key)}), json_extract(${object}, '/' || replace(replace(${same}, '~', '~0'), '/', '~1')))`
}

/** A value of JSON as one of this type. */
function typed(value: string, type: HiveType, depth: number): string {
  if (type.kind === 'plain') {
    const written = writtenType(type)
    return written === 'VARCHAR' ? `(${value} ->> '$')` : `CAST(${value} AS ${written})`
  }
  const one = named('e', depth)
  if (type.kind === 'array')
    return `list_transform(CAST(${value} AS JSON[]), lambda ${one}: ${typed(one, type.element, depth + 1)})`
  if (type.kind === 'map') {
    const entry = `struct_pack("key" := CAST(${one}."key" AS ${writtenType(type.key)}), "value" := ${typed(`${one}."value"`, type.value, depth + 1)})`
    return `map_from_entries(list_transform(map_entries(CAST(${value} AS MAP(VARCHAR, JSON))), lambda ${one}: ${entry}))`
  }
  const fields = type.fields.map(
    ([name, part]) => `${quotedIdentifier(name)} := ${fieldOf(value, { name, type: part }, depth + 1)}`,
  )
  // Without it, nothing would be a structure of nothings.
  return `CASE WHEN json_type(${value}) = 'OBJECT' THEN struct_pack(${fields.join(', ')}) END`
}

/** A column, or a part of one, of an object of JSON. */
export const fieldOf = (
  object: string,
  { name, type }: { readonly name: string; readonly type: HiveType },
  depth = 0,
): string => typed(valueOf(object, name, depth), type, depth)
