import type { Row } from '@boathouse/contract'
import type { Outcome } from './compared.ts'

/** A statement that is not the same on both sides, and what was before it in its file. */
export interface Differing {
  readonly sql: string
  readonly product: Outcome
  readonly peer: Outcome
  /** A statement before it made rows by chance. */
  readonly afterChance: boolean
  /** A statement before it that would have made or changed something is refused here. */
  readonly afterRefused: boolean
}

interface KnownDifference {
  /** As in docs/guide/sql.md, "What differs from DuckDB". */
  readonly what: string
  isOne(differing: Differing): boolean
}

const matches =
  (pattern: RegExp): KnownDifference['isOne'] =>
  ({ sql }) =>
    pattern.test(sql)

/** Here it runs, in process it fails. */
const onlyHere =
  (pattern: RegExp): KnownDifference['isOne'] =>
  ({ sql, peer }) =>
    'error' in peer && pattern.test(sql)

export const BY_CHANCE =
  /\b(?:random|setseed|uuid|uuidv[47]|gen_random_uuid|sample|reservoir_quantile|approx_\w+|current_timestamp|current_time|localtimestamp|localtime|now|today|get_current_\w+)\b/i

const rowsOf = (outcome: Outcome): readonly Row[] => ('rows' in outcome ? outcome.rows : [])

/** As long, which is all that can be said of rows that chance made. */
const areAsMany = ({ product, peer }: Differing): boolean =>
  'rows' in product && 'rows' in peer && product.rows.length === peer.rows.length

/** Into how many, chance decides too. */
const GROUPS = /\bgroup\s+by\b/i

const LISTS_WITH_IDS = /\bpg_\w+|\w*oid\b|\bduckdb_constraints\b/i

/** Whatever is a number may be an id. */
const withoutNumbers = (outcome: Outcome): string =>
  rowsOf(outcome)
    .map((row) => JSON.stringify(row.map((cell) => (cell && /^\d+$/.test(cell) ? '#' : cell))))
    .toSorted()
    .join('\n')
    .replaceAll(/['\s]/g, '')

const areSameButIds = (differing: Differing): boolean =>
  LISTS_WITH_IDS.test(differing.sql) &&
  areAsMany(differing) &&
  withoutNumbers(differing.product) === withoutNumbers(differing.peer)

const OFFSET_WITH_SECONDS = /[+-]\d\d:\d\d:\d\d"/

const KNOWN: readonly KnownDifference[] = [
  { what: 'EXPLAIN', isOne: matches(/^\s*explain\b/i) },
  { what: 'statements of the service', isOne: matches(/^\s*(?:desc|describe|show)\b/i) },
  { what: 'statements of the service', isOne: onlyHere(/^\s*(?:create|drop|use)\s+(?:database|schema)\b/i) },
  { what: 'PREPARE', isOne: onlyHere(/^\s*prepare\b/i) },
  { what: 'LIMIT 5, 10', isOne: onlyHere(/\blimit\s+\d+\s*,/i) },
  { what: 'user', isOne: matches(/\b(?:current_user|session_user|user|current_role)\b/i) },
  { what: 'ids of objects', isOne: areSameButIds },
  {
    what: 'chance and time',
    isOne: (differing) =>
      (differing.afterChance || BY_CHANCE.test(differing.sql)) &&
      (areAsMany(differing) || GROUPS.test(differing.sql)),
  },
  { what: 'objects of the service', isOne: matches(/\bpg_attribute\b/i) },
  { what: 'DROP DATABASE', isOne: matches(/\bcurrent_schema\(\)/i) },
  { what: 'settings', isOne: matches(/\bduckdb_settings\b/i) },
  { what: 'json_serialize_sql', isOne: matches(/\bjson_serialize_sql\b/i) },
  { what: 'FLOAT', isOne: matches(/::\s*float\b/i) },
  {
    what: 'offsets of time zones',
    isOne: (differing) =>
      areAsMany(differing) && OFFSET_WITH_SECONDS.test(JSON.stringify(rowsOf(differing.product))),
  },
  { what: 'what a refused statement would have made', isOne: ({ afterRefused }) => afterRefused },
]

/** Which of the differences that the guide names this is; null for none of them. */
export const knownDifference = (differing: Differing): string | null =>
  KNOWN.find(({ isOne }) => isOne(differing))?.what ?? null
