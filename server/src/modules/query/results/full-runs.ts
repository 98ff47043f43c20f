import { STATEMENT_KINDS, type StatementKind } from '@boathouse/sql'
import { type Actor, refuseNarrowedKey } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Log } from '../../../kernel/log.ts'
import type { StatementAnswer } from '../answers/answer.ts'
import { valuesIn } from '../sessions/named-values.ts'
import { errorIn } from '../history/ended-row.ts'
import type { Queries } from '../service.ts'
import type { QueryStore } from '../store.ts'
import type { ResultStore } from './result-store.ts'

export interface FullRunParts {
  readonly queries: Pick<Queries, 'submit' | 'begun' | 'killConnection'>
  readonly store: Pick<QueryStore, 'findRequest'>
  readonly statements: Pick<ResultStore, 'findRun'>
  /** Who somebody is and what they may do now; undefined when they are gone. */
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly endsWritten: () => Promise<void>
  readonly log: Log
}

const keyOf = ({ accountId }: Actor, requestId: string) => `${accountId}/${requestId}`

const notYours = () => new AppError('NotFound', 'There is no such query of yours.')

const TOO_LARGE =
  'The rows of this query do not fit in one file. Select fewer rows or columns, or create a table from them.'

/**
 * Statements run once more, with all their rows, so that a file can be made of them. Each is a request as any other: in
 * the history, under the same guard and privileges, stopped by its request id, and run once however often it is sent.
 */
export function createFullRuns(parts: FullRunParts) {
  const { queries, store, statements, actorOf, endsWritten, log } = parts
  /** By account and request, of those that run. */
  const running = new Map<string, StatementAnswer>()

  async function now(actor: Actor): Promise<Actor> {
    const found = await actorOf(actor.userId)
    if (!found) throw new AppError('LoginRequired', 'The user of this request no longer exists.')
    return found
  }

  return {
    async begin(actor: Actor, { queryId, requestId }: { queryId: string; requestId: string }) {
      refuseNarrowedKey(actor)
      await endsWritten()
      const row = await statements.findRun(actor.accountId, queryId)
      if (!row || row.user_id !== actor.userId) throw notYours()
      if (STATEMENT_KINDS[row.kind as StatementKind] !== 'reads' || row.kind === 'explain')
        throw new AppError('BadInput', 'queryId: Only a statement that selects can be run for a file.')
      if (row.sql_hash)
        throw new AppError(
          'Conflict',
          'The history has only the beginning of this text. Run the statement itself again.',
        )
      const key = keyOf(actor, requestId)
      const place = {
        catalog: row.catalog ?? '',
        database: row.database_name,
        warehouseId: row.warehouse_id,
      }
      let connectionId = 0
      const ended = queries.submit(
        { known: actor, now: () => now(actor) },
        {
          requestId,
          sql: row.sql,
          values: valuesIn(row) ?? undefined,
          connectionId: 0,
          previousConnectionId: row.connection_id ?? 0,
          place,
          clientId: 'full run',
          clientIp: row.client_ip,
          door: 'service',
          inFull: true,
        },
        (answer) => {
          connectionId = answer.connectionId
          if (answer.state === 'running') running.set(key, answer)
        },
      )
      void ended
        .catch((error: unknown) => log.warn({ err: error }, 'a statement was not run for a file'))
        .then(() => {
          running.delete(key)
          return queries.killConnection(actor, connectionId)
        })
        .catch((error: unknown) => log.warn({ err: error }, 'the connection of a file was not closed'))
      await Promise.race([queries.begun(actor, requestId), ended])
      return { requestId }
    },

    async state(actor: Actor, requestId: string) {
      await endsWritten()
      const [row] = await store.findRequest(actor.accountId, requestId)
      if (!row || row.user_id !== actor.userId) throw notYours()
      const progress = running.get(keyOf(actor, requestId))?.progress ?? null
      const isCut = row.state === 'finished' && row.result_complete !== true
      const isOver = row.state !== 'accepted' && row.state !== 'running'
      return {
        queryId: row.query_id,
        state: isCut ? ('failed' as const) : (row.state as 'accepted' | 'running' | 'finished'),
        progress: progress?.percentage ?? null,
        rows: isOver ? row.result_rows : (progress?.rows ?? null),
        error: isCut ? TOO_LARGE : isOver ? (errorIn(row)?.message ?? '') : '',
      }
    },
  }
}

export type FullRuns = ReturnType<typeof createFullRuns>
