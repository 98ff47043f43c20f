import { LIMITS, objectText } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { authorizeStatement, type Lister } from '../../query/gate/authorize-statement.ts'
import { errorOf, type Looking, NotFinished } from './looking.ts'
import type { FoundObject } from './place-of.ts'

/** A view may be any query: the sample of one that takes longer is for a warehouse. */
const SAMPLE_MS = 10_000

interface SampleParts {
  readonly actor: Actor
  readonly authority: Lister
  /** By `viewKey`. */
  readonly views: ReadonlySet<string>
}

/** The first rows, with the privileges of the actor, as a SELECT would read them. */
export async function sampleOf(
  { place, access }: FoundObject,
  { describe }: Looking,
  { actor, authority, views }: SampleParts,
) {
  const { authorize, hasDenied } = authorizeStatement(actor, authority, { views, writes: false })
  const reading = { authorize, longestCell: LIMITS.cellLength, withinMs: SAMPLE_MS }
  try {
    const { columns, rows, truncated } = await describe(reading).sample(place, LIMITS.sampleRows)
    return {
      columns: columns.map(({ name, type, family }) => ({ name, type, family })),
      rows: rows.map((row) => [...row]),
      truncated,
    }
  } catch (error) {
    if (!(error instanceof NotFinished)) throw error
    const { outcome } = error
    if (outcome.state === 'cancelled')
      throw new AppError(
        'StatementTimedOut',
        `The first rows of ${objectText(access)} take longer than ${SAMPLE_MS / 1000} s to read. Query it in the editor, where a warehouse reads it.`,
      )
    if (outcome.state === 'failed' && outcome.error.kind !== 'unavailable')
      throw new AppError(hasDenied() ? 'NoPermission' : 'QueryFailed', outcome.error.message)
    throw errorOf(outcome)
  }
}
