import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { Field, LongCell, Row } from './realtime.ts'
import { BoundValues } from './parameters.ts'
import { KeptFilters, QueryId, Sort } from './result-rows.ts'

/** What can be done with a kept result beside reading it in its original order, which is in `query.ts`. */
export const result = {
  /** Over all kept rows. NULL comes last, and equal rows keep their original order. */
  arrangedRows: defineCall({
    path: '/result/arranged-rows',
    summary: 'Get rows of a kept result, sorted and filtered',
    needs: 'login',
    silent: true,
    input: z.extend(QueryId, {
      offset: z.int().check(z.gte(0)),
      limit: z.int().check(z.gte(1), z.lte(LIMITS.selectRows)),
      sort: z.nullable(Sort),
      filters: KeptFilters,
    }),
    output: z.object({
      fields: z.array(Field),
      rows: z.array(Row),
      longCells: z.array(LongCell),
      /** The place of each row in the original order. */
      places: z.array(z.int()),
      /** Of those that are kept, how many are not left out. */
      shownRows: z.int(),
      totalRows: z.int(),
      complete: z.boolean(),
      expiresAt: z.string(),
    }),
    fails: ['NotFound', 'ResultExpired', 'QuotaExceeded'],
  }),
  /**
   * A user of the same account who has the link and can read what the statement read sees its kept rows; this is
   * checked at every look. An EXPLAIN, which is in the history, finds out what the statement reads.
   */
  share: defineCall({
    path: '/result/share',
    summary: 'Share a kept result with users who can read its data',
    needs: 'login',
    input: QueryId,
    output: z.object({ expiresAt: z.string() }),
    fails: ['NotFound', 'ResultExpired', 'Conflict', 'LimitReached', 'ConnectionLimit'],
  }),
  unshare: defineCall({
    path: '/result/unshare',
    summary: 'Stop sharing a kept result',
    needs: 'login',
    input: QueryId,
    output: z.object({}),
    fails: ['NotFound'],
  }),
  /** For who ran its statement, and for who may look at it because it is shared. */
  facts: defineCall({
    path: '/result/facts',
    summary: 'Get the statement and details of a kept result',
    needs: 'login',
    silent: true,
    input: QueryId,
    output: z.object({
      sql: z.string(),
      /** What was bound to its parameters; null: it was sent without values. */
      values: z.nullable(BoundValues),
      /** Who ran it. */
      user: z.string(),
      /** Where it ran, for names in it that are not whole. */
      catalog: z.string(),
      database: z.string(),
      endedAt: z.string(),
      expiresAt: z.string(),
      isOwn: z.boolean(),
      isShared: z.boolean(),
    }),
    fails: ['NotFound', 'ResultExpired'],
  }),
}
