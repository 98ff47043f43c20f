import { type JsonNode, isNode, nodeOf, nodesBelow, nodesOf, textOf } from './json-tree.ts'

/**
 * A statement that changes rows scans its table to find them. That is a part of changing them as long as no value of the
 * table is used: DELETE without WHERE, UPDATE with nothing but new values. Whatever else it does with a column is reading,
 * as error messages, counts and what is written elsewhere tell of it.
 */

/** From here on, numbers of columns stand for what is no column, as `rowid`. */
const FIRST_VIRTUAL = 2 ** 63

/** The columns that a scan returns, in its order; DuckDB leaves out a zero. Null where the plan does not list them. */
function columnsOf(scan: JsonNode): readonly number[] | null {
  const indexes = scan['column_indexes']
  if (!Array.isArray(indexes)) return null
  return indexes.map((one: unknown) => (isNode(one) ? numberOf(one['index']) : Number.NaN))
}

const numberOf = (value: unknown): number => {
  if (value === undefined) return 0
  return typeof value === 'number' ? value : Number.NaN
}

/** Closed: what is no number is a column. */
const isVirtual = (column: number | undefined): boolean => column !== undefined && column >= FIRST_VIRTUAL

const isRef = (node: JsonNode): boolean => node['expression_class'] === 'BOUND_REF'

const refsIn = (expression: unknown): number[] =>
  [...nodesBelow(expression, null, () => ({ held: null }))]
    .filter(({ node }) => isRef(node))
    .map(({ node }) => numberOf(node['index']))

const operatorOf = (node: JsonNode): string => textOf(node, 'type')
const childrenOf = (node: JsonNode): readonly JsonNode[] => nodesOf(node, 'children')

/** The number of columns that an operator passes to the one above it, where that is easy to determine. */
function widthOf(node: JsonNode | undefined): number | null {
  if (!node) return null
  if (operatorOf(node) === 'LOGICAL_PROJECTION') return nodesOf(node, 'expressions').length
  return operatorOf(node) === 'LOGICAL_DISTINCT' ? widthOf(childrenOf(node)[0]) : null
}

/** An assignment of one of the columns below to a column of the table. */
interface Assigned {
  readonly from: number
  readonly to: number
}

function assignedIn(node: JsonNode): Assigned[] {
  const columns = Array.isArray(node['columns']) ? node['columns'] : []
  return nodesOf(node, 'expressions').flatMap((expression, at) =>
    isRef(expression) ? [{ from: numberOf(expression['index']), to: numberOf(columns[at]) }] : [],
  )
}

interface Copying {
  readonly projection: JsonNode
  readonly scan: JsonNode
  /** Where the columns of the scan begin among those below the projection. */
  readonly start: number
  readonly assigned: readonly Assigned[]
  /** What else refers to what the projection gives. */
  readonly others: readonly number[]
}

/**
 * Whether each value that is made of the table's columns is put back where it was: DuckDB rewrites the whole row
 * where one of its columns has an index or is nested.
 */
function onlyCopies({ projection, scan, start, assigned, others }: Copying): boolean {
  const columns = columnsOf(scan)
  if (!columns) return false
  return nodesOf(projection, 'expressions').every((expression, at) => {
    const used = refsIn(expression)
      .filter((ref) => ref >= start)
      .map((ref) => columns[ref - start])
      .filter((column) => !isVirtual(column))
    if (used.length === 0) return true
    const to = assigned.filter(({ from }) => from === at)
    return isRef(expression) && to.length > 0 && !others.includes(at) && to.every((one) => one.to === used[0])
  })
}

const updateOnlyCopies = (update: JsonNode, isTarget: (scan: JsonNode) => boolean): JsonNode | null => {
  const [projection] = childrenOf(update)
  const [scan] = projection ? childrenOf(projection) : []
  if (!projection || !scan || operatorOf(projection) !== 'LOGICAL_PROJECTION' || !isTarget(scan)) return null
  const copying = { projection, scan, start: 0, assigned: assignedIn(update), others: [] }
  return onlyCopies(copying) && isAccounted(copying) ? scan : null
}

/** Every column of the scan is one that is put back. */
function isAccounted({ projection, scan, start, assigned }: Copying): boolean {
  const copied = new Set(
    nodesOf(projection, 'expressions').flatMap((expression, at) =>
      isRef(expression) && assigned.some(({ from }) => from === at)
        ? [numberOf(expression['index']) - start]
        : [],
    ),
  )
  return (columnsOf(scan) ?? [Number.NaN]).every((column, at) => isVirtual(column) || copied.has(at))
}

const isUpdate = (clause: JsonNode): boolean => textOf(clause, 'action_type') === 'MERGE_UPDATE'

/** INSERT … ON CONFLICT is joined with its table by the keys of that, which no statement can choose. */
const conflictOnlyCopies = (merge: JsonNode, isTarget: (scan: JsonNode) => boolean): JsonNode | null => {
  const [projection] = childrenOf(merge)
  const [join] = projection ? childrenOf(projection) : []
  const [added, scan] = join ? childrenOf(join) : []
  const start = widthOf(added)
  if (!projection || !scan || start === null || !isTarget(scan)) return null
  if (operatorOf(projection) !== 'LOGICAL_PROJECTION') return null
  const clauses = nodesOf(merge, 'actions').flatMap((clause) => nodesOf(clause, 'value'))
  const assigned = clauses.filter(isUpdate).flatMap(assignedIn)
  const others = clauses.flatMap((clause) => [
    ...refsIn(clause['condition']),
    ...(isUpdate(clause)
      ? nodesOf(clause, 'expressions').filter((one) => !isRef(one))
      : nodesOf(clause, 'expressions')
    ).flatMap(refsIn),
  ])
  return onlyCopies({ projection, scan, start, assigned, others }) ? scan : null
}

/** The scan by which a statement finds the rows that it changes, if it uses no value of them; null: it reads its table. */
export function blindScan(
  node: JsonNode,
  { isTarget, isInsert }: { isTarget: (scan: JsonNode) => boolean; isInsert: boolean },
): JsonNode | null {
  for (const { node: one } of nodesBelow(node['children'], null, () => ({ held: null })))
    if (isTarget(one) && columnsOf(one)?.every(isVirtual)) return one
  if (operatorOf(node) === 'LOGICAL_UPDATE') return updateOnlyCopies(node, isTarget)
  return operatorOf(node) === 'LOGICAL_MERGE_INTO' && isInsert ? conflictOnlyCopies(node, isTarget) : null
}

export const isScan = (node: JsonNode): boolean =>
  operatorOf(node) === 'LOGICAL_GET' && textOf(node, 'name') === 'seq_scan'

export const scanData = (node: JsonNode): JsonNode => nodeOf(node, 'function_data')
