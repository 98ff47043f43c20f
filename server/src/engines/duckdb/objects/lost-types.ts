import { foldedName } from '../../../kernel/same-name.ts'
import type { Statement } from '@boathouse/sql'
import { StatementRefused } from '../errors.ts'
import type { PlanDefinition } from './bound-plan.ts'
import { textOf } from './json-tree.ts'
import { type Place } from './names.ts'

/** Every database of DuckDB has it, before its log is replayed. */
const FIRST_SCHEMA = 'main'

/**
 * DuckDB 1.5 cannot replay a type from its log that is in another database than main: after a crash the account's
 * data could not be opened. A type whose database cannot be determined counts as such.
 */
export function refuseLostType(
  { kind }: Pick<Statement, 'kind'>,
  definition: PlanDefinition | null,
  place: Place | null,
): void {
  const isType = kind === 'create-type' || definition?.operator === 'CREATE_TYPE'
  if (!isType) return
  if (definition?.operator === 'CREATE_TYPE' && place && isKept(definition, place)) return
  const message =
    'CREATE TYPE makes types in the database main alone: one in another database could not be read again after a crash. Write main before its name, or the type itself where it is used.'
  throw new StatementRefused({ kind: 'permission', message })
}

function isKept({ info }: PlanDefinition, place: Place): boolean {
  const catalog = foldedName(textOf(info, 'catalog') || place.catalog)
  const schema = foldedName(textOf(info, 'schema') || place.schema)
  return catalog === 'temp' || schema === FIRST_SCHEMA
}
