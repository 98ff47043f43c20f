import type { OperatorKind } from '../../engine/outcome.ts'

/** By the name of an operator; the first that fits. */
const KINDS: readonly (readonly [RegExp, OperatorKind])[] = [
  [/^(?:DUMMY_SCAN|EXPRESSION_SCAN|EMPTY_RESULT)$/, 'values'],
  [/^(?:COLUMN_DATA_SCAN|CHUNK_SCAN|DELIM_SCAN|(?:RECURSIVE_)?(?:RECURRING_)?CTE_SCAN)$/, 'kept'],
  [/SCAN$|^READ_|^RANGE$|^GENERATE_SERIES$|^INOUT_FUNCTION$/, 'scan'],
  [/^FILTER$/, 'filter'],
  [/^PROJECTION$/, 'project'],
  [/^(?:CROSS_PRODUCT|BLOCKWISE_NL_JOIN|NESTED_LOOP_JOIN)$/, 'compare'],
  [/JOIN$/, 'join'],
  [/GROUP_BY$|AGGREGATE$/, 'aggregate'],
  [/WINDOW$/, 'window'],
  [/^ORDER_BY$/, 'order'],
  [/^TOP_N$/, 'top'],
  [/LIMIT/, 'limit'],
  [/^UNION$/, 'union'],
  [/CTE$/, 'common'],
  [/^UNNEST$/, 'unnest'],
  [/INSERT$|^UPDATE$|^DELETE|^MERGE_INTO$|COPY_TO_FILE$|^CREATE_TABLE_AS$/, 'write'],
]

/** In our words; undefined where there is none. */
export const kindOf = (operator: string): OperatorKind | undefined =>
  KINDS.find(([name]) => name.test(operator))?.[1]
