import type { DatabasePlace } from '../../../engines/engine/names.ts'
import type { FinishedOutcome, Outcome } from '../../../engines/engine/outcome.ts'
import type { Authorize, ObjectChange } from '../../../engines/engine/objects.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { errorOf, type Looking, type RunOptions } from '../objects/looking.ts'

/** Statements that take effect together. */
export interface ChangeRun {
  readonly statements: readonly { readonly sql: string; readonly authorize: Authorize }[]
  /** Whether one of them was refused for want of a privilege. */
  readonly denied: () => boolean
  /** Each of them, where it may take longer than a look at names. */
  readonly withinMs?: number
}

const CUT_OFF = 'Check whether it took effect before you try again.'

function failureOf(outcome: Exclude<Outcome, FinishedOutcome>, isDenied: boolean): Error {
  if (outcome.state === 'lost')
    return new AppError('Interrupted', `The engine ended while it did this (${outcome.reason}). ${CUT_OFF}`)
  if (outcome.state === 'cancelled')
    return new AppError(
      'Unavailable',
      'The engine of this account is too busy. Nothing was changed. Try again later.',
    )
  if (isDenied) return new AppError('NoPermission', outcome.error.message)
  return outcome.error.kind === 'unavailable' || outcome.error.kind === 'resource'
    ? errorOf(outcome)
    : new AppError('QueryFailed', outcome.error.message)
}

interface Step extends Pick<RunOptions, 'authorize' | 'queryId'> {
  readonly sql: string
}

async function finish(
  { run }: Looking,
  { sql, ...step }: Step,
  { denied, withinMs }: Pick<ChangeRun, 'denied' | 'withinMs'>,
) {
  const outcome = await run(sql, {
    takenFor: null,
    ...step,
    maxRows: 1,
    ...(withinMs === undefined ? {} : { withinMs }),
  })
  if (outcome.state !== 'finished') throw failureOf(outcome, denied())
  return outcome.changed ?? []
}

/**
 * Several statements run in one transaction, which is rolled back with the session when one of them fails. The engine
 * records under the id that they took effect.
 */
export async function runAll(
  looking: Looking,
  order: ChangeRun,
  id: string,
): Promise<readonly ObjectChange[]> {
  const { statements } = order
  const wraps = statements.length > 1
  const changed: ObjectChange[] = []
  const all: Step[] = [
    ...(wraps ? [{ sql: 'BEGIN', authorize: 'all' as const }] : []),
    ...statements,
    ...(wraps ? [{ sql: 'COMMIT', authorize: 'all' as const }] : []),
  ]
  for (const [at, one] of all.entries()) {
    const step = at === all.length - 1 ? { ...one, queryId: id } : one
    changed.push(...(await finish(looking, step, order)))
  }
  return changed
}

/** Statements of the service's own, on databases: the privilege is asked for here. */
export const ofService = (sql: string): ChangeRun => ({
  statements: [{ sql, authorize: 'all' }],
  denied: () => false,
})

export async function findDatabase(
  { lists, catalogNamed }: Looking,
  asked: DatabasePlace,
): Promise<DatabasePlace> {
  const place = { ...asked, catalog: catalogNamed(asked.catalog) }
  const database = await lists.databaseNamed(place)
  if (database === null)
    throw new AppError(
      'NotFound',
      `There is no database ${asked.database} in the catalog ${place.catalog}, or it was dropped.`,
    )
  return { catalog: place.catalog, database }
}

const nameTaken = (name: string, { database }: DatabasePlace) =>
  new AppError(
    'NameTaken',
    `A table or view ${name} already exists in the database ${database}. Choose another name.`,
  )

export async function requireFree({ lists }: Looking, place: DatabasePlace, name: string): Promise<void> {
  for (const type of ['table', 'view'] as const)
    if ((await lists.objectNamed(place, { type, name })) !== null) throw nameTaken(name, place)
}
