import type { PlanNode } from './plan-node.ts'

const totals = new WeakMap<PlanNode, number>()

/** Of an operator and all that it reads from, in milliseconds. */
function totalMs(node: PlanNode): number {
  const known = totals.get(node)
  if (known !== undefined) return known
  const total = node.children.reduce((sum, child) => sum + totalMs(child), node.timeMs ?? 0)
  totals.set(node, total)
  return total
}

/** From the last operator down, each time to the one whose part took longest. None without times. */
export function slowestPath(root: PlanNode): readonly PlanNode[] {
  const path: PlanNode[] = []
  for (let node: PlanNode | undefined = totalMs(root) > 0 ? root : undefined; node;) {
    path.push(node)
    node = node.children.toSorted((one, other) => totalMs(other) - totalMs(one))[0]
  }
  return path
}

/** A line from an operator to what it reads from, as it goes through a row of the tree. */
export interface Rail {
  /** Past this row to a later one, past it with a branch to it, to it and no further, or none. */
  readonly shape: 'past' | 'branch' | 'end' | 'none'
  readonly isSlow: boolean
}

export interface PlanRow {
  readonly node: PlanNode
  /** From the outermost in, one for each operator above it. */
  readonly rails: readonly Rail[]
  /** On the slowest path. */
  readonly isSlow: boolean
  /** Of all operators the one that took longest itself. */
  readonly isSlowest: boolean
}

/** The tree as rows, an operator before what it reads from. */
export function planRows(root: PlanNode): readonly PlanRow[] {
  const slow = new Set(slowestPath(root))
  const rows: Omit<PlanRow, 'isSlowest'>[] = []
  /** `below`: the lines that continue past everything that the operator reads from. */
  const walk = (node: PlanNode, rails: readonly Rail[], below: readonly Rail[]): void => {
    rows.push({ node, rails, isSlow: slow.has(node) })
    node.children.forEach((child, index) => {
      const later = node.children.slice(index + 1)
      const isSlowLater = later.some((one) => slow.has(one))
      const [own, past] = later.length > 0 ? (['branch', 'past'] as const) : (['end', 'none'] as const)
      walk(
        child,
        [...below, { shape: own, isSlow: slow.has(child) || isSlowLater }],
        [...below, { shape: past, isSlow: isSlowLater }],
      )
    })
  }
  walk(root, [], [])
  const longest = Math.max(...rows.map(({ node }) => node.timeMs ?? 0))
  const slowest = longest > 0 ? rows.find(({ node }) => node.timeMs === longest)?.node : undefined
  return rows.map((row) => ({ ...row, isSlowest: row.node === slowest }))
}

/** How much of the time of all operators those on the path took themselves, from 0 to 1. */
export function shareOfPath(root: PlanNode): number {
  const own = slowestPath(root).reduce((sum, { timeMs }) => sum + (timeMs ?? 0), 0)
  return totalMs(root) > 0 ? own / totalMs(root) : 0
}

export const hasTimes = (root: PlanNode): boolean => totalMs(root) > 0
