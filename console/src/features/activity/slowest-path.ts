import type { ProfileNode } from '@boathouse/contract/query'

const totals = new WeakMap<ProfileNode, number>()

/** Of an operator and all that it reads from, in milliseconds. */
export function totalMs(node: ProfileNode): number {
  const known = totals.get(node)
  if (known !== undefined) return known
  const total = node.children.reduce((sum, child) => sum + totalMs(child), node.timeMs)
  totals.set(node, total)
  return total
}

/** From the last operator down, each time to the one whose part took longest. */
export function slowestPath(root: ProfileNode): readonly ProfileNode[] {
  const path: ProfileNode[] = []
  for (let node: ProfileNode | undefined = root; node;) {
    path.push(node)
    node = node.children.toSorted((one, other) => totalMs(other) - totalMs(one))[0]
  }
  return path
}

export interface ProfileRow {
  readonly node: ProfileNode
  readonly depth: number
  /** On the slowest path. */
  readonly isSlow: boolean
  /** Of all operators the one that took longest itself. */
  readonly isSlowest: boolean
}

/** The tree as lines, an operator before what it reads from. */
export function profileRows(root: ProfileNode): readonly ProfileRow[] {
  const slow = new Set(slowestPath(root))
  const nodes: { node: ProfileNode; depth: number }[] = []
  const walk = (node: ProfileNode, depth: number): void => {
    nodes.push({ node, depth })
    for (const child of node.children) walk(child, depth + 1)
  }
  walk(root, 0)
  const longest = Math.max(...nodes.map(({ node }) => node.timeMs))
  const slowest = longest > 0 ? nodes.find(({ node }) => node.timeMs === longest)?.node : undefined
  return nodes.map(({ node, depth }) => ({
    node,
    depth,
    isSlow: slow.has(node),
    isSlowest: node === slowest,
  }))
}

/** How much of the time of all operators those on the path took themselves, from 0 to 1. */
export function shareOfPath(root: ProfileNode): number {
  const own = slowestPath(root).reduce((sum, { timeMs }) => sum + timeMs, 0)
  return totalMs(root) > 0 ? own / totalMs(root) : 0
}
