import type { PlanNode } from './plan-node.ts'
import { readBoxes } from './read-plan-boxes.ts'

/** A plan as an engine writes it, in JSON or drawn as boxes; null when it is neither. Of several it is the last. */
export const readPlan = (text: string): PlanNode | null => {
  const root = readJson(text) ?? readBoxes(text)
  return root && withoutFrame(root)
}

/** What an EXPLAIN ANALYZE puts around the plan: the statement, and that it was explained. */
function withoutFrame(root: PlanNode): PlanNode {
  const [only, ...others] = root.children
  const isFrame = /^(QUERY|EXPLAIN_ANALYZE|)$/.test(root.operator)
  return isFrame && only && others.length === 0 ? withoutFrame(only) : root
}

interface Written {
  readonly name?: unknown
  readonly operator_name?: unknown
  readonly operator_type?: unknown
  readonly operator_timing?: unknown
  readonly operator_cardinality?: unknown
  readonly extra_info?: unknown
  readonly children: readonly unknown[]
}

const ESTIMATE = 'Estimated Cardinality'

const numberIn = (value: unknown): number | null =>
  (typeof value === 'string' && /^\d+$/.test(value)) || typeof value === 'number' ? Number(value) : null

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const isWritten = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && 'children' in value && Array.isArray(value.children)

function nodeOf({ name, operator_name, operator_type, ...rest }: Written): PlanNode {
  const operator = [operator_name, operator_type, name].find((one) => typeof one === 'string')
  const facts = typeof rest.extra_info === 'object' && rest.extra_info ? Object.entries(rest.extra_info) : []
  const seconds = numberIn(rest.operator_timing)
  const seen = numberIn(rest.operator_cardinality)
  const expected = numberIn(facts.find(([fact]) => fact === ESTIMATE)?.[1])
  return {
    operator: (operator ?? '').trim(),
    detail: facts
      .filter(([fact]) => fact !== ESTIMATE)
      .map(([fact, value]) => `${fact}: ${textOf(value)}`)
      .join('\n'),
    timeMs: seconds === null ? null : 1000 * seconds,
    rows: seen ?? expected,
    isEstimate: seen === null,
    children: rest.children.filter(isWritten).map(nodeOf),
  }
}

function readJson(text: string): PlanNode | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    const root: unknown = Array.isArray(value) ? value.at(-1) : value
    return isWritten(root) ? nodeOf(root) : null
  } catch {
    return null
  }
}
