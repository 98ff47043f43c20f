import { INTERNAL_SCHEMA, markedTable } from '../guard/internal-schema.ts'
import { GUARDED_LISTINGS, HARMLESS } from '../guard/guarded-listings.ts'
import type { ObjectAction } from '../../engine/objects.ts'
import { type JsonNode, nodeOf, nodesBelow, nodesOf, textOf } from './json-tree.ts'
import { type FullName, isSame } from './names.ts'
import { earlyFailure } from './early-failures.ts'
import { blindScan, isScan, scanData } from './target-scan.ts'

/** What DuckDB's binder makes of one statement, before anything is optimised. */
export interface BoundPlan {
  /** Tables whose rows are read, once for each place in the statement; also those that tell why they cannot be. */
  readonly scans: readonly FullName[]
  readonly writes: readonly { readonly action: ObjectAction; readonly table: FullName }[]
  readonly sequences: readonly FullName[]
  /** What it creates, alters or drops. */
  readonly definition: PlanDefinition | null
  /** It lists the names of what everyone has. */
  readonly lists: boolean
  /** It shows the columns of something. */
  readonly describes: boolean
  /** What may fail on rows that a view leaves out, once for each place in the statement. */
  readonly failsEarly: readonly string[]
}

export interface PlanDefinition {
  /** Without LOGICAL_, as in CREATE_TABLE. */
  readonly operator: string
  readonly info: JsonNode
}

/** Something about a statement cannot be determined. */
export class Unresolved extends Error {
  override readonly name = 'Unresolved'
}

const READING = `AGGREGATE_AND_GROUP_BY ANY_JOIN ASOF_JOIN CHUNK_GET COMPARISON_JOIN CROSS_PRODUCT CTE_REF DELIM_GET
  DELIM_JOIN DEPENDENT_JOIN DISTINCT DUMMY_SCAN EMPTY_RESULT EXCEPT EXPRESSION_GET FILTER GET INTERSECT JOIN LIMIT
  MATERIALIZED_CTE ORDER_BY PIVOT POSITIONAL_JOIN PROJECTION RECURSIVE_CTE SAMPLE TOP_N UNION UNNEST WINDOW`
const WRITING = 'DELETE INSERT MERGE_INTO UPDATE'
const DEFINING =
  'ALTER CREATE_INDEX CREATE_MACRO CREATE_SCHEMA CREATE_SEQUENCE CREATE_TABLE CREATE_TYPE CREATE_VIEW DROP'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
const KNOWN = words([READING, WRITING, DEFINING].join(' '))
const DEFINES = words(DEFINING)
const WRITES = words(WRITING)
/** To find the rows that it changes, such a statement scans its table once. */
const SCANS_TARGET = words('DELETE MERGE_INTO UPDATE')

/**
 * Definitions that the statement does not run. A default draws and computes with the privileges of the user who
 * defined it.
 */
const NOT_RUN: ReadonlySet<string> = new Set(['info', 'table_info', 'bound_defaults', 'bound_constraints'])

const LISTINGS = new Set([...HARMLESS, ...GUARDED_LISTINGS.map(({ name }) => name)])
/** Settings are everyone's own. */
const NAMING = new Set(GUARDED_LISTINGS.map(({ name }) => name).filter((name) => name !== 'duckdb_settings'))
/** They name a table in a text. */
const NAMES_IN_TEXT = new Set(['pragma_show', 'pragma_table_info'])

const MERGES: Readonly<Record<string, ObjectAction | null>> = {
  MERGE_INSERT: 'insert',
  MERGE_UPDATE: 'update',
  MERGE_DELETE: 'delete',
  MERGE_DO_NOTHING: null,
  MERGE_ERROR: null,
}

const fullName = (node: JsonNode): FullName => ({
  catalog: textOf(node, 'catalog'),
  schema: textOf(node, 'schema'),
  name: textOf(node, 'table') || textOf(node, 'name'),
})

function scannedTable(node: JsonNode): FullName | null {
  const name = textOf(node, 'name')
  const data = nodeOf(node, 'function_data')
  if (name === 'seq_scan') {
    const table = fullName(data)
    if (!table.catalog || !table.name) throw new Unresolved('it reads a table that has no name')
    return data['is_create_index'] === true ? null : table
  }
  if (NAMES_IN_TEXT.has(name)) throw new Unresolved(`${name}() names its table in a text`)
  if (!LISTINGS.has(name)) throw new Unresolved(`${name}() is not known here`)
  return null
}

function writesOf(operator: string, node: JsonNode): { action: ObjectAction; table: FullName }[] {
  const table = fullName(nodeOf(node, 'table_info'))
  if (!table.catalog || !table.name) throw new Unresolved('it writes to a table that has no name')
  const actions = actionsOf(operator, node)
  if (node['return_chunk'] === true) actions.push('read')
  return actions.map((action) => ({ action, table }))
}

function actionsOf(operator: string, node: JsonNode): ObjectAction[] {
  switch (operator) {
    case 'UPDATE':
      return ['update']
    case 'DELETE':
      return ['delete']
    case 'INSERT':
      return /^(THROW|NOTHING|)$/.test(textOf(node, 'action_type')) ? ['insert'] : ['insert', 'update']
    default:
      return nodesOf(node, 'actions').flatMap((clause) => nodesOf(clause, 'value').flatMap(mergeAction))
  }
}

function mergeAction(clause: JsonNode): ObjectAction[] {
  const type = textOf(clause, 'action_type')
  const action = MERGES[type]
  if (action === undefined) throw new Unresolved(`${type || 'a clause of MERGE'} is not known here`)
  return action === null ? [] : [action]
}

function operatorOf(node: JsonNode): string | null {
  const type = textOf(node, 'type')
  if (!type.startsWith('LOGICAL_')) return null
  const operator = type.slice('LOGICAL_'.length)
  if (!KNOWN.has(operator)) throw new Unresolved(`${operator} is not known here`)
  return operator
}

const NOTHING: ReadonlySet<JsonNode> = new Set()

export interface PlanReading {
  /** Of one that inserts, DuckDB makes a merge where rows may be there already. */
  readonly isInsert?: boolean
  /** These operators and what is below them are not read. */
  readonly leftOut?: ReadonlySet<JsonNode>
}

/** Throws an `Unresolved` at anything that it does not know: closed by default. */
export function readPlan(
  plan: JsonNode,
  { isInsert = false, leftOut = NOTHING }: PlanReading = {},
): BoundPlan {
  const scans: { readonly table: FullName; readonly node: JsonNode }[] = []
  const writes: { action: ObjectAction; table: FullName }[] = []
  const blind = new Set<JsonNode>()
  const sequences: FullName[] = []
  const failsEarly: string[] = []
  let definition: PlanDefinition | null = null
  let describes = false
  let lists = false
  const inside = (node: JsonNode, isOut: boolean) => ({ held: isOut || leftOut.has(node), skips: NOT_RUN })
  for (const { node, held } of nodesBelow(plan, false, inside)) {
    if (held || leftOut.has(node)) continue
    const operator = operatorOf(node)
    if (operator === 'GET') {
      const table = scannedTable(node)
      if (table) scans.push({ table, node })
      lists ||= NAMING.has(textOf(node, 'name'))
    } else if (operator === 'CHUNK_GET') describes = true
    else if (operator !== null && DEFINES.has(operator)) definition = { operator, info: nodeOf(node, 'info') }
    else if (operator !== null && WRITES.has(operator)) {
      const written = writesOf(operator, node)
      writes.push(...written)
      const scan = SCANS_TARGET.has(operator) ? foundBlindly(node, isInsert) : null
      if (scan) blind.add(scan)
    }
    if (node['type'] === 'VALUE_CONSTANT') {
      const marked = markedTable(nodeOf(node, 'value')['value'])
      if (marked) scans.push({ table: marked, node })
    }
    const failure = earlyFailure(node)
    if (failure !== null) failsEarly.push(failure)
    const sequence = nodeOf(nodeOf(node, 'function_data'), 'sequence_create_info')
    if (sequence['name'] !== undefined) sequences.push(fullName(sequence))
  }
  const read = scans.filter(({ node }) => !blind.has(node)).map(({ table }) => table)
  return { scans: read, writes, sequences, definition, describes, lists, failsEarly }
}

function foundBlindly(node: JsonNode, isInsert: boolean): JsonNode | null {
  const table = fullName(nodeOf(node, 'table_info'))
  return blindScan(node, {
    isTarget: (scan) => isScan(scan) && isSame(fullName(scanData(scan)), table),
    isInsert,
  })
}

/** No authority opens what is the service's own. */
export const isOfService = ({ catalog, schema }: FullName): boolean =>
  [catalog, schema].some((part) => part.toLowerCase().startsWith(INTERNAL_SCHEMA))
