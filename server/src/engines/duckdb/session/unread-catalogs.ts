import { isSameName } from '../../../kernel/same-name.ts'
import { namesIn, readStatement } from '@boathouse/sql'
import type { EngineError } from '../../engine/outcome.ts'
import type { ExecuteOptions } from '../../engine/run.ts'
import { decisionOf, isDenial, type Verdict } from '../../engine/objects.ts'
import type { AttachedCatalogs } from '../account/attached-catalogs.ts'

export interface Missed {
  readonly attached: Pick<AttachedCatalogs, 'unreadIn'>
  readonly authorize: ExecuteOptions['authorize']
  readonly sql: string
  /** Of the session. */
  readonly place: string | null
}

/**
 * Something may be missing because its catalog cannot be read. Only users who may use the catalog learn why; to
 * others it is one that they may not use.
 */
export async function withReason<T extends { readonly state: string; readonly error?: EngineError }>(
  failure: T,
  missed: Missed,
): Promise<T> {
  if (failure.error?.kind !== 'missing') return failure
  return { ...failure, error: await explained(failure.error, missed) }
}

async function explained(error: EngineError, missed: Missed): Promise<EngineError> {
  const { attached, authorize, sql, place } = missed
  const inMessage = attached.unreadIn(error.message)
  const besides = attached.unreadIn(`${place ?? ''} ${sql}`)
  for (const { name, why } of [...inMessage, ...besides]) {
    const verdict = await mayUse(name, authorize)
    const isMissed = inMessage.some((one) => one.name === name)
    if (!isDenial(verdict)) return { ...error, message: isMissed ? why : `${error.message} ${why}` }
    if (isMissed || namesSomethingIn(name, sql)) return { kind: 'permission', message: verdict.message }
  }
  return error
}

const namesSomethingIn = (catalog: string, sql: string): boolean =>
  [...namesIn(readStatement(sql))].some(
    ({ parts }) => parts.length > 1 && parts[0] !== undefined && isSameName(parts[0], catalog),
  )

async function mayUse(catalog: string, authorize: ExecuteOptions['authorize']): Promise<Verdict> {
  if (authorize === 'all') return null
  const object = { type: 'catalog', catalog, database: null, name: null } as const
  return decisionOf(authorize, [{ action: 'read', object, through: null }])
}
