import type { ProfileNode } from '../../engine/outcome.ts'
import { kindOf } from './operator-kinds.ts'

/** Calls by which DuckDB stores a column more tightly before it sorts or groups, and puts it back behind that. */
const STORED_OTHERWISE = /__internal_(?:de)?compress_\w+\(\s*((?:[^\s(),]|\([^()]*\))+)(?:,[^()]*)?\)/g

/** It passes on columns of what it reads, by their places, and computes nothing. */
const PASSES_ON = /^(?:Projections:)?(?:\s*#\d+[,\s]*)+$/

/**
 * The plan in our words, without what is of DuckDB alone: projections that compute nothing are folded into what they
 * read from, which has the same rows. Their time is added there, so that the times of all operators have the same sum.
 */
export function folded({ children, ...node }: ProfileNode): ProfileNode {
  const detail = node.detail.replaceAll(STORED_OTHERWISE, '$1')
  const inputs = children.map(folded)
  const [only, ...others] = inputs
  if (node.operator === 'PROJECTION' && only && others.length === 0 && PASSES_ON.test(detail))
    return {
      ...only,
      timeMs: node.timeMs === null && only.timeMs === null ? null : (node.timeMs ?? 0) + (only.timeMs ?? 0),
      folded: (only.folded ?? 0) + 1,
    }
  return { ...node, kind: kindOf(node.operator), detail, children: inputs }
}
