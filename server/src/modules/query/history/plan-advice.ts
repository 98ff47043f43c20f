import type { OperatorKind, PlanAdvice, ProfileNode } from '@boathouse/contract'

/** With fewer rows nothing is worth advice. */
const WORTH_ROWS = 10_000
/** A join that gives so many times the rows of its larger input multiplies them. */
const MULTIPLIES = 2
/** A filter that keeps at most this part would have skipped much. */
const KEEPS_LITTLE = 0.5
const WORTH_PAIRS = 1_000_000
const MOST = 10

const JOINS: readonly (OperatorKind | undefined)[] = ['join', 'compare']
/** They hold what they give until they have seen all of what they read. */
const HOLD_OUTPUT: readonly (OperatorKind | undefined)[] = ['order', 'aggregate', 'window']

interface Placed {
  readonly node: ProfileNode
  readonly operator: number
}

/** Each before what it reads from, as the plan is shown. */
const listed = (root: ProfileNode): ProfileNode[] => [root, ...root.children.flatMap(listed)]

/** What comes out of an operator; of one that only passes rows on and was not measured, of what it reads from. */
const rowsOf = (node: ProfileNode): number => node.rows || Math.max(0, ...node.children.map(rowsOf))

type Found = Pick<PlanAdvice, 'advice' | 'rowsIn' | 'rowsOut'>

function onJoin({ kind, rows, children }: ProfileNode): Found[] {
  if (!JOINS.includes(kind) || rows === null) return []
  const inputs = children.slice(0, 2).map(rowsOf)
  const largest = Math.max(0, ...inputs)
  const pairs = inputs.reduce((product, count) => product * count, 1)
  const found: Found[] = []
  if (kind === 'compare' && inputs.length === 2 && pairs >= WORTH_PAIRS)
    found.push({ advice: 'comparesAll', rowsIn: pairs, rowsOut: rows })
  if (largest > 0 && rows >= WORTH_ROWS && rows > MULTIPLIES * largest)
    found.push({ advice: 'joinMultiplies', rowsIn: largest, rowsOut: rows })
  return found
}

function onFilter({ kind, rows, readRows = 0, filtersEachRow, children }: ProfileNode): Found[] {
  const [input] = children
  const isAbove = kind === 'filter' && input?.kind === 'scan'
  const rowsIn = filtersEachRow ? readRows : isAbove ? rowsOf(input) : 0
  if (rows === null || rowsIn < WORTH_ROWS || rows > KEEPS_LITTLE * rowsIn) return []
  return [{ advice: 'filtersEachRow', rowsIn, rowsOut: rows }]
}

/** Where a plan that ran can be better. Of what an engine only expects there is none. */
export function adviceOn(root: ProfileNode, spilledBytes: number | null): PlanAdvice[] {
  const all: Placed[] = listed(root).map((node, operator) => ({ node, operator }))
  if (all.some(({ node }) => node.isEstimate)) return []
  const totalMs = all.reduce((sum, { node }) => sum + (node.timeMs ?? 0), 0)
  const shareOf = ({ timeMs }: ProfileNode) => (totalMs > 0 && timeMs !== null ? timeMs / totalMs : null)
  const found = all.flatMap(({ node, operator }) =>
    [...onJoin(node), ...onFilter(node)].map((one) => ({
      ...one,
      operator,
      bytes: null,
      timeShare: shareOf(node),
    })),
  )
  return [...onSpill(all, spilledBytes, shareOf), ...found.toSorted(byShare)].slice(0, MOST)
}

const byShare = (one: PlanAdvice, other: PlanAdvice): number => (other.timeShare ?? 0) - (one.timeShare ?? 0)

/** A join holds its second input, to look up the rows of the first. */
function heldRows({ kind, rows, children }: ProfileNode): number {
  if (kind === 'join') return children[1] ? rowsOf(children[1]) : 0
  return HOLD_OUTPUT.includes(kind) ? (rows ?? 0) : 0
}

/** Which one did not fit is only certain where a single one holds rows. */
function onSpill(
  all: readonly Placed[],
  bytes: number | null,
  shareOf: (node: ProfileNode) => number | null,
): PlanAdvice[] {
  if (!bytes) return []
  const [only, ...others] = all.filter(({ node }) => heldRows(node) >= WORTH_ROWS)
  const one = others.length === 0 ? only : undefined
  return [
    {
      advice: 'spills',
      operator: one?.operator ?? null,
      rowsIn: one ? Math.max(0, ...one.node.children.map(rowsOf)) : null,
      rowsOut: one?.node.rows ?? null,
      bytes,
      timeShare: one ? shareOf(one.node) : null,
    },
  ]
}
