import type { EngineError } from '../../engine/outcome.ts'
import { type Proposing, withOwnProposal } from './proposals.ts'
import { type Missed, withReason } from './unread-catalogs.ts'

/** A failure as the sender of the statement may see it. */
export async function shownFailure<T extends { readonly state: string; readonly error?: EngineError }>(
  failure: T,
  parts: Proposing & Omit<Missed, 'place'>,
): Promise<T> {
  return withOwnProposal(await withReason(failure, { ...parts, place: parts.sight.catalog }), parts)
}
