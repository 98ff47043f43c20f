import type { ProfileNode } from '../../engine/outcome.ts'
import type { ResultRows } from '../../engine/rows.ts'
import { isFileNames, planWithoutFiles } from '../session/plan-files.ts'
import { folded } from './fold-plan.ts'
import { readBoxes } from './read-plan-boxes.ts'

/** A longer text is shown as it is. */
const LONGEST = 256 * 1024

/** A plan as DuckDB writes it, in JSON or drawn as boxes; null when it is neither. Of several it is the last. */
export const readPlan = (text: string): ProfileNode | null => {
  const root = text.length > LONGEST ? null : (readJson(text) ?? readBoxes(text))
  return root && folded(withoutFrame(root))
}

/** What is shown of the rows that an EXPLAIN answered, each a name and a text, and the plan in them. */
export function shownPlan(answered: ResultRows): { result: ResultRows; profile: ProfileNode | null } {
  const result = planWithoutFiles(answered)
  return { result, profile: readPlan(result.rows.map((row) => row.at(-1) ?? '').join('\n')) }
}

/** What an EXPLAIN ANALYZE puts around the plan: the statement, and that it was explained. */
function withoutFrame(root: ProfileNode): ProfileNode {
  const [only, ...others] = root.children
  const isFrame = /^(QUERY|EXPLAIN_ANALYZE|)$/.test(root.operator)
  return isFrame && only && others.length === 0 ? withoutFrame(only) : root
}

export interface Written {
  readonly name?: unknown
  readonly operator_name?: unknown
  readonly operator_type?: unknown
  readonly operator_timing?: unknown
  readonly operator_cardinality?: unknown
  readonly operator_rows_scanned?: unknown
  readonly extra_info?: unknown
  readonly children: readonly unknown[]
}

const ESTIMATE = 'Estimated Cardinality'
const FILTERS = 'Filters'

/** Of the filters of a scan: what is not a column beside constants is computed for each row. */
const COMPUTED = /^(?:\(|"?\w+"?\()/

const areComputed = (filters: unknown): boolean => {
  const all = [filters].flat().filter((one) => typeof one === 'string' && one !== '')
  return all.length > 0 && all.every((one) => COMPUTED.test(String(one)))
}

const numberIn = (value: unknown): number | null =>
  (typeof value === 'string' && /^\d+$/.test(value)) || typeof value === 'number' ? Number(value) : null

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const isWritten = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && 'children' in value && Array.isArray(value.children)

/** An operator with what it reads from, as DuckDB writes it, of a plan or of a profile. */
export function nodeOf({ name, operator_name, operator_type, ...rest }: Written): ProfileNode {
  const operator = [operator_name, operator_type, name].find((one) => typeof one === 'string')
  const facts = typeof rest.extra_info === 'object' && rest.extra_info ? Object.entries(rest.extra_info) : []
  const seconds = numberIn(rest.operator_timing)
  const seen = numberIn(rest.operator_cardinality)
  const read = numberIn(rest.operator_rows_scanned)
  const fact = (title: string): unknown => facts.find(([one]) => one === title)?.[1]
  return {
    operator: (operator ?? '').trim(),
    detail: facts
      .filter(([title]) => title !== ESTIMATE && !isFileNames(title))
      .map(([title, value]) => `${title}: ${textOf(value)}`)
      .join('\n'),
    timeMs: seconds === null ? null : 1000 * seconds,
    rows: seen ?? numberIn(fact(ESTIMATE)),
    ...(seen === null ? { isEstimate: true } : {}),
    ...(read ? { readRows: read } : {}),
    ...(areComputed(fact(FILTERS)) ? { filtersEachRow: true } : {}),
    children: rest.children.filter(isWritten).map(nodeOf),
  }
}

function readJson(text: string): ProfileNode | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    const root: unknown = Array.isArray(value) ? value.at(-1) : value
    return isWritten(root) ? nodeOf(root) : null
  } catch {
    return null
  }
}
