import { type JsonNode, isNode, nodesBelow, nodesOf, textOf } from './json-tree.ts'

/** Numbers that DuckDB gives to what it plans, one after the other: the same view has others in another statement. */
const NUMBERED = /(?:^|_)index$/
/** Which column it is: of the operator below, or of the table. */
const OF_COLUMN: ReadonlySet<string> = new Set(['index', 'column_index'])
/** Where in the text something was written. */
const NO_MEANING: ReadonlySet<string> = new Set(['query_location'])

const isNumbered = (key: string): boolean => NUMBERED.test(key) && !OF_COLUMN.has(key)

/** Which number of the one plan is which of the other. */
class Numbers {
  private readonly there = new Map<unknown, unknown>()
  private readonly here = new Map<unknown, unknown>()

  pair(one: unknown, other: unknown): boolean {
    if (this.there.has(one) || this.here.has(other))
      return this.there.get(one) === other && this.here.get(other) === one
    this.there.set(one, other)
    this.here.set(other, one)
    return true
  }
}

type Pair = readonly [one: unknown, other: unknown]

/** Null when they differ, else what is left to compare. A number that is left out is 0. */
function compared([one, other]: Pair, numbers: Numbers): readonly Pair[] | null {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length ? one.map((each, at): Pair => [each, other[at]]) : null
  if (!isNode(one) || !isNode(other)) return one === other ? [] : null
  const left: Pair[] = []
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (NO_MEANING.has(key)) continue
    if (!isNumbered(key) || typeof (one[key] ?? other[key]) !== 'number') left.push([one[key], other[key]])
    else if (!numbers.pair(one[key] ?? 0, other[key] ?? 0)) return null
  }
  return left
}

/** Plans may be nested deeper than a stack would be. */
function areSame(pairs: readonly Pair[], numbers: Numbers): boolean {
  const waiting = [...pairs]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const left = compared(next, numbers)
    if (!left) return false
    waiting.push(...left)
  }
  return true
}

/** Whether two plans say the same. */
export const isSamePlan = (one: JsonNode, other: JsonNode): boolean => areSame([[one, other]], new Numbers())

const isOperator = (node: JsonNode, type: string): boolean => node['type'] === `LOGICAL_${type}`

const isColumn = (node: JsonNode): boolean => node['expression_class'] === 'BOUND_REF'

/** How many columns of the statement around it a subquery is given. */
function givenColumns(node: JsonNode): number {
  const types: unknown = node['chunk_types']
  return isOperator(node, 'DELIM_GET') && Array.isArray(types) ? types.length : 0
}

/**
 * A view in a subquery that refers to the statement around it. DuckDB then leads the columns that are referred to through
 * the projections on top of the view: each of these has as many columns more as the subquery is given, behind its own.
 */
function isLedThrough(view: JsonNode, node: JsonNode): boolean {
  const numbers = new Numbers()
  const added = new Set<number>()
  let [own, there] = [view, node]
  while (isOperator(own, 'PROJECTION') && isOperator(there, 'PROJECTION')) {
    const { children: below, expressions: columns, ...one } = own
    const { children: belowThere, expressions: columnsThere, ...other } = there
    if (!Array.isArray(columns) || !Array.isArray(columnsThere)) return false
    const more = columnsThere.slice(columns.length)
    added.add(more.length)
    if (more.length === 0 || !more.every((each) => isNode(each) && isColumn(each))) return false
    const kept = columnsThere.slice(0, columns.length)
    if (
      !areSame(
        [
          [one, other],
          [columns, kept],
        ],
        numbers,
      )
    )
      return false
    const [next, nextThere] = [nodesOf({ below }, 'below')[0], nodesOf({ belowThere }, 'belowThere')[0]]
    if (!next || !nextThere) return false
    if (isOperator(nextThere, 'CROSS_PRODUCT')) {
      const [rows, given, ...others] = nodesOf(nextThere, 'children')
      if (!rows || !given || others.length > 0 || added.size > 1 || !added.has(givenColumns(given)))
        return false
      return areSame([[next, rows]], numbers)
    }
    ;[own, there] = [next, nextThere]
  }
  return false
}

/** Where in a plan these stand, by what they are; each with what is below it. */
export function placesIn<T>(
  plan: JsonNode,
  wanted: readonly { readonly of: T; readonly root: JsonNode }[],
): { readonly places: ReadonlySet<JsonNode>; readonly found: ReadonlySet<T> } {
  const places = new Set<JsonNode>()
  const found = new Set<T>()
  const inside = (node: JsonNode, isBelow: boolean) => ({ held: isBelow || places.has(node) })
  for (const { node, held } of nodesBelow(plan, false, inside)) {
    if (held || !textOf(node, 'type').startsWith('LOGICAL_')) continue
    for (const { of, root } of wanted) {
      if (root['type'] !== node['type'] || !(isSamePlan(root, node) || isLedThrough(root, node))) continue
      places.add(node)
      found.add(of)
    }
  }
  return { places, found }
}
