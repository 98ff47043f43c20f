import { QueryFailed } from './errors.ts'
import type { ClusterClient } from './protocol/client.ts'
import { RemoteQuery } from './protocol/remote-query.ts'
import type { SessionHeaders } from './protocol/session-headers.ts'

/** A short question of the engine itself. */
export interface Question {
  readonly client: ClusterClient
  readonly session: SessionHeaders
  readonly user: string
  readonly queryId: string
  /** Called with it as soon as it can be cancelled. */
  onQuery?(query: RemoteQuery): void
}

/** Runs a text of ours to its end, and gives how many rows came of it. Places in such a text are nobody's. */
export async function countRows(sql: string, question: Question): Promise<number> {
  const { client, session, user, queryId } = question
  const query = await RemoteQuery.announce(client, { sql, user, session, queryId })
  question.onQuery?.(query)
  let rows = 0
  for (let answer = await query.next(); answer; answer = await query.next()) rows += answer.rows.length
  const { error } = query.last
  if (error) throw new QueryFailed({ ...error, place: null }, { sql, shift: 0 })
  return rows
}
