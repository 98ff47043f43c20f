import type { TpchLikeQuery } from './tpch-like-query.ts'
import { FIRST_ELEVEN } from './tpch-like-queries-first.ts'
import { LAST_ELEVEN } from './tpch-like-queries-last.ts'

/** The 22 questions of TPC-H in our own SQL, with the values of its validation run. */
export const TPCH_LIKE_QUERIES: readonly TpchLikeQuery[] = [...FIRST_ELEVEN, ...LAST_ELEVEN]
