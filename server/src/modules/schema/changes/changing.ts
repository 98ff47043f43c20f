import { objectOf } from '@boathouse/contract'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { DatabasePlace, ObjectPlace } from '../../../engines/engine/names.ts'
import type { ObjectName } from '../../../engines/engine/objects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Authority } from '../../access/authority.ts'
import { authorizeStatement, type Lister } from '../../query/gate/authorize-statement.ts'
import type { MaterializedViews } from '../objects/materialized-views.ts'
import { allUsersOf, type Dependent, seenOf } from '../objects/dependencies.ts'
import { createLookingFor, type Looking, type LookFor } from '../objects/looking.ts'
import { type ApplyChange, pathOf } from './apply-change.ts'
import type { ChangeRun } from './change-run.ts'

export interface ChangeParts {
  readonly useServiceEngine: UseEngine
  readonly authority: Pick<Authority, 'visible' | 'may' | 'require'> & Lister
  readonly materialized: Dependent['materialized'] & Pick<MaterializedViews, 'drop' | 'rename' | 'comment'>
  readonly apply: ApplyChange
}

/** What all changes are made with. */
export interface Changing extends ChangeParts {
  readonly look: LookFor
}

export const createChanging = (parts: ChangeParts): Changing => ({
  ...parts,
  look: createLookingFor({ useServiceEngine: parts.useServiceEngine, authority: parts.authority }),
})

/** One statement with the privileges of the actor, as if they had sent it. */
export function byActor({ authority }: Pick<Changing, 'authority'>, actor: Actor, sql: string): ChangeRun {
  const { authorize, hasDenied } = authorizeStatement(actor, authority)
  return { statements: [{ sql, authorize }], denied: hasDenied }
}

export const databaseOf = (place: DatabasePlace): ObjectName => ({ type: 'database', ...place, name: null })

export const accessToDatabase = (place: DatabasePlace) => objectOf('database', { ...place })

/** Of a table or view, as the audit log names it. */
export const auditedObject = ({ type, ...place }: ObjectPlace) => ({ type, id: pathOf(place, place.name) })

/** CATALOG-13: names what uses it, which the actor may then disregard. */
export async function requireUnused(
  { authority, materialized }: Changing,
  actor: Actor,
  { looking, place }: { readonly looking: Looking; readonly place: ObjectPlace },
): Promise<void> {
  const users = await allUsersOf(looking, place, { accountId: actor.accountId, materialized })
  if (users.length === 0) return
  const seen = await seenOf(authority.visible, actor, { catalog: place.catalog, refs: users })
  const names = seen.slice(0, 5).map(({ database, name }) => `${database}.${name}`)
  const others = users.length - names.length
  const more = others > 0 ? [`${others} ${names.length > 0 ? 'more' : 'that you may not see'}`] : []
  throw new AppError(
    'Conflict',
    `${place.name} is used by ${[...names, ...more].join(', ')}, which would stop working.`,
  )
}
