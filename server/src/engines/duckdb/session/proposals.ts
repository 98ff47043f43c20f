import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import type { EngineError } from '../../engine/outcome.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import { decisionOf, isDenial } from '../../engine/objects.ts'
import { ALLOWED_FUNCTIONS } from '../guard/allowed-functions.ts'
import { SEEN } from '../guard/raise-guard.ts'
import { LISTING } from '../objects/reads.ts'
import type { SessionSight } from './session-sight.ts'

/** DuckDB proposes the names that are most alike, even to users who may not see them. */
const PROPOSED = /\s*Did you mean "([^"]*)"\??/
const MISSING_TABLE = /^Table with name "?(.+?)"? does not exist!/
const MISSING_FUNCTION = /^\w+ Function with name /

/** As many letters of a name may be wrong. */
const mostWrong = (name: string): number => Math.max(1, Math.floor(name.length / 3))

const alike = (name: string): string => {
  const distance = `system.main.damerau_levenshtein(system.main.lower(name), system.main.lower(${quotedString(name)}))`
  return `SELECT CASE WHEN schema_name = system.main.current_schema() THEN name ELSE schema_name || '.' || name END
    FROM (SELECT schema_name, table_name AS name FROM ${SEEN}.duckdb_tables()
      UNION ALL SELECT schema_name, view_name FROM ${SEEN}.duckdb_views() WHERE NOT internal)
    WHERE system.main.strlen(name) < 256 AND ${distance} <= ${mostWrong(name)} ORDER BY ${distance}, 1 LIMIT 1`
}

export interface Proposing {
  readonly connection: DuckDBConnection
  readonly sight: SessionSight
  readonly authorize: ExecuteOptions['authorize']
}

/** A failure as its user may see it: a name is proposed only to users who may see that name. */
export async function withOwnProposal<T extends { readonly state: string; readonly error?: EngineError }>(
  failure: T,
  proposing: Proposing,
): Promise<T> {
  return failure.error ? { ...failure, error: await ownProposal(failure.error, proposing) } : failure
}

async function ownProposal(error: EngineError, proposing: Proposing): Promise<EngineError> {
  const [, proposed = ''] = PROPOSED.exec(error.message) ?? []
  if (proposing.authorize === 'all' || !proposed) return error
  if (MISSING_FUNCTION.test(error.message) && ALLOWED_FUNCTIONS.has(proposed)) return error
  const message = error.message.replace(PROPOSED, '')
  const [, missing] = MISSING_TABLE.exec(message) ?? []
  const name = missing === undefined ? null : await mostAlike(missing, proposing)
  return { ...error, message: name === null ? message : `${message}\nDid you mean "${name}"?` }
}

async function mostAlike(
  missing: string,
  { connection, sight, authorize }: Proposing,
): Promise<string | null> {
  if (authorize === 'all' || missing.length > 255) return null
  const verdict = await decisionOf(authorize, [{ action: 'read', object: LISTING, through: null }])
  if (verdict === null || isDenial(verdict)) return null
  try {
    await sight.only(verdict.listed)
    const found = await connection.runAndReadAll(alike(missing.split('.').at(-1) ?? missing))
    const name = found.getRows()[0]?.[0]
    return name === undefined || name === null ? null : String(name)
  } catch {
    // In a transaction that has failed nothing can be asked, and nobody needs a proposal.
    return null
  }
}
