import { QueryFailed } from '../errors.ts'
import type { AnsweredColumn } from '../protocol/answer.ts'
import type { ClusterClient } from '../protocol/client.ts'
import { RemoteQuery } from '../protocol/remote-query.ts'
import type { SessionHeaders } from '../protocol/session-headers.ts'
import { referencesIn, type Reference } from './references.ts'
import { LIMITING } from './statement-kind.ts'
import { findOutside, tokensOf } from './tokens.ts'

/** A query that is analyzed in the place of a statement, or of a part of it. */
export interface AnalyzedText {
  readonly sql: string
  /** Where it is in the statement; null: it is put together from parts of it. */
  readonly from: number | null
}

interface Analyzed {
  readonly references: readonly Reference[]
  readonly columns: readonly AnsweredColumn[]
}

export type Analyze = (text: AnalyzedText) => Promise<Analyzed>

interface Analyst {
  readonly client: ClusterClient
  readonly session: SessionHeaders
  readonly user: string
  readonly queryId: string
  /** What runs just now, so that it can be cancelled. */
  onQuery(query: RemoteQuery): void
}

/**
 * Has a cluster analyze queries, and run nothing of them. Each is asked for no rows: all of it is analyzed, and nothing is
 * left to run.
 */
export function createAnalyze({ onQuery, ...asked }: Analyst): Analyze {
  return async ({ sql, from }) => {
    const hasLimit = findOutside(tokensOf(sql), LIMITING) !== -1
    const before = hasLimit ? 'SELECT * FROM (\n' : ''
    const text = `${before}${sql}${hasLimit ? '\n)' : ''}\nLIMIT 0`
    const query = await RemoteQuery.announce(asked.client, { ...asked, sql: text })
    onQuery(query)
    let { columns } = query.last
    for (let answer = await query.next(); answer; answer = await query.next()) ({ columns } = answer)
    const { error } = query.last
    const place = from === null ? null : error?.place
    if (error)
      throw new QueryFailed(
        { ...error, place: place ?? null },
        { sql: text, shift: before.length - (from ?? 0) },
      )
    return { references: referencesIn(await query.info()), columns: columns ?? [] }
  }
}
