import { foldedName } from '../../../kernel/same-name.ts'
import type { Statement } from '@boathouse/sql'
import { StatementRefused } from '../errors.ts'
import { SHARED_FUNCTIONS } from '../guard/raise-guard.ts'
import type { PlanDefinition } from './bound-plan.ts'
import { textOf } from './json-tree.ts'

/**
 * A macro hides the function of its name from all sessions in its database, and a temporary one from its session.
 * That includes the service's own queries there, which run with its privileges and decide who may do what. A macro
 * whose name cannot be determined counts as one that hides a function.
 */
export function refuseTakenName({ kind }: Pick<Statement, 'kind'>, definition: PlanDefinition | null): void {
  const isMacro = definition?.operator === 'CREATE_MACRO'
  if (!isMacro && kind !== 'create-macro') return
  const name = isMacro ? textOf(definition.info, 'name') : ''
  if (name && !SHARED_FUNCTIONS.has(foldedName(name))) return
  const message = name
    ? `${name} is a built-in function, and a macro with this name would hide it. Choose another name.`
    : 'The name of the macro cannot be determined. Write a shorter statement.'
  throw new StatementRefused({ kind: 'permission', message })
}
