import type { ObjectName } from '../../engine/objects.ts'
import type { SessionHeaders } from '../protocol/session-headers.ts'
import { refused } from '../refused.ts'
import { nameOf, type SqlToken } from './tokens.ts'

/** A name as it is written, and the token behind it. */
export interface WrittenName {
  readonly parts: readonly string[]
  readonly behind: number
}

/** Null where there is no name. */
export function nameAt(tokens: readonly SqlToken[], from: number): WrittenName | null {
  const parts: string[] = []
  for (let at = from; ; at += 2) {
    const part = nameOf(tokens[at])
    if (part === null) return null
    parts.push(part)
    if (tokens[at + 1]?.text !== '.') return { parts, behind: at + 1 }
  }
}

/** Trino looks a name up in one place: what is missing of it is the session's. */
export function placed(
  type: 'table' | 'view',
  { parts }: WrittenName,
  { catalog, schema }: Pick<SessionHeaders, 'catalog' | 'schema'>,
): ObjectName {
  if (parts.length > 3) throw refused('syntax', 'The name of a table has at most three parts.')
  const [name = '', database = schema, inCatalog = catalog] = parts.toReversed()
  return { type, catalog: inCatalog, database, name }
}

export function placedSchema(
  { parts }: WrittenName,
  { catalog }: Pick<SessionHeaders, 'catalog'>,
): ObjectName | null {
  const [database = '', inCatalog = catalog] = parts.toReversed()
  return parts.length > 2 ? null : { type: 'database', catalog: inCatalog, database, name: null }
}
