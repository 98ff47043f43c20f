import type { OperatorKind } from '../engine/outcome.ts'

/** By the name of a node of a plan; the first that fits. */
const KINDS: readonly (readonly [RegExp, OperatorKind])[] = [
  [/^(?:TableScan|Scan(?:Filter)?(?:Project)?)$/, 'scan'],
  [/^Values$/, 'values'],
  [/^Filter(?:Project)?$/, 'filter'],
  [/^Project$/, 'project'],
  [/^CrossJoin$/, 'compare'],
  [/Join$/, 'join'],
  [/^(?:Aggregate|MarkDistinct|GroupId)/, 'aggregate'],
  [/^(?:Window|RowNumber|TopNRanking|PatternRecognition)/, 'window'],
  [/Sort$/, 'order'],
  [/^TopN/, 'top'],
  [/Limit/, 'limit'],
  [/^Union$/, 'union'],
  [/^Unnest$/, 'unnest'],
  [/^(?:RemoteSource|RemoteMerge|LocalExchange|LocalMerge|Exchange)$/, 'exchange'],
  [/^(?:TableWriter|TableCommit|TableDelete|TableUpdate|Merge)/, 'write'],
  [/^Output$/, 'output'],
]

/** In our words; undefined where there is none. */
export const kindOf = (operator: string): OperatorKind | undefined =>
  KINDS.find(([name]) => name.test(operator))?.[1]
