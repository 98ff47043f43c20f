import type { Actor } from '../../../kernel/actor.ts'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import { acceptedRows, requireStatements, type Submission } from './accepted-rows.ts'
import type { AnalysedStatement, AnalysedText } from '../analysis/analysed-text.ts'
import type { Connection } from '../sessions/connection.ts'
import type { Connections } from '../sessions/connections.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { QueryStore } from '../store.ts'
import type { StatementKey } from '../statement-row.ts'

/** One statement of a request, under the id by which it is written down. */
export interface AcceptedStatement extends StatementKey {
  readonly statement: AnalysedStatement
  readonly index: number
}

/** A request that is written down and must run, once. */
export interface AcceptedRequest {
  readonly submission: Submission
  readonly statements: readonly AcceptedStatement[]
  readonly connection: Connection
  /** What the database said in the same moment; missing when it could not. */
  readonly identityVersion: number | undefined
}

export interface Offer {
  readonly actor: Actor
  readonly submission: Submission
  readonly analysed: AnalysedText
  /** Nothing is before it on its connection. */
  readonly isFirst: boolean
}

export interface AcceptingParts {
  readonly connections: Pick<Connections, 'homeEngine' | 'resolve'>
  readonly store: Pick<QueryStore, 'accept'>
  readonly clock: Clock
}

/** Writes a request down. Null when it was written before: then it must not run again. */
export async function acceptRequest(
  { connections, store, clock }: AcceptingParts,
  { actor, submission, analysed, isFirst }: Offer,
): Promise<AcceptedRequest | null> {
  requireStatements(submission.sql, analysed.count)
  const connection = await connections.resolve(actor, submission)
  const acceptedAt = clock.now()
  const statements = analysed.statements.map((statement, index) => ({
    statement,
    queryId: timeOrderedId(),
    index,
    acceptedAt,
  }))
  const acceptance = await store.accept(
    acceptedRows({
      actor,
      connection,
      submission,
      statements,
      at: acceptedAt,
      startsAtOnce: isFirst,
      homeEngine: connections.homeEngine,
    }),
  )
  return acceptance && { submission, statements, connection, identityVersion: acceptance.identityVersion }
}
