import { AppError } from '../../../kernel/app-error.ts'
import type { Connection } from './connection.ts'

/** Of each kind, and of all their texts together in UTF-16 units: they are written down with the connection. */
const MOST = 100
const MOST_TEXT = 128 * 1024

/** What a connection keeps under names that SET cannot reach: they have a blank in them. */
export interface KeptKind {
  readonly prefix: string
  /** In a sentence, as in 'prepared statements'. */
  readonly words: string
}

export const PREPARED: KeptKind = { prefix: 'prepared ', words: 'prepared statements' }
export const USER_VARIABLES: KeptKind = { prefix: 'variable ', words: 'variables of yours' }

type Variables = Connection['variables']

export const keptOf = (variables: Variables, { prefix }: KeptKind): [name: string, value: string][] =>
  Object.entries(variables).flatMap(([key, value]) =>
    key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [],
  )

/** Throws when there is no room for it. */
export function withKept(variables: Variables, kind: KeptKind, [name, value]: [string, string]): Variables {
  const kept = { ...variables, [kind.prefix + name]: value }
  const length = Object.values(kept).reduce((sum, { length: one }) => sum + one, 0)
  if (keptOf(kept, kind).length > MOST || length > MOST_TEXT)
    throw new AppError(
      'LimitReached',
      `A connection keeps at most ${MOST} ${kind.words}, and ${MOST_TEXT / 1024} KB in total. Remove some first.`,
    )
  return kept
}

export const withoutKept = (
  variables: Variables,
  { prefix }: KeptKind,
  names: readonly string[],
): Variables => {
  const gone = new Set(names.map((name) => prefix + name))
  return Object.fromEntries(Object.entries(variables).filter(([key]) => !gone.has(key)))
}
