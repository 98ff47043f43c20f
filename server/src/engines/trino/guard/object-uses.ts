import type { ListedName, ObjectAction, ObjectName, ObjectUse } from '../../engine/objects.ts'
import type { AnsweredColumn } from '../protocol/answer.ts'
import type { SessionHeaders } from '../protocol/session-headers.ts'
import { refused } from '../refused.ts'
import type { Analyze } from './analyze.ts'
import { type Definition, definitionIn } from './definitions.ts'
import { nameAt, placed } from './names.ts'
import { probeOf } from './probes.ts'
import type { Reference } from './references.ts'
import type { ReadStatement, StatementKind } from './statement-kind.ts'
import type { SqlToken } from './tokens.ts'

/** What a statement does, and with what. */
export interface FoundUses {
  readonly uses: readonly ObjectUse[]
  readonly definition: Definition | null
  /** What the query of a new view uses itself. */
  readonly bound: readonly ObjectUse[]
  /** Of a query. */
  readonly columns: readonly AnsweredColumn[]
}

interface Finding {
  readonly place: Pick<SessionHeaders, 'catalog' | 'schema'>
  readonly analyze: Analyze
  /** The sender may do everything: what it reads is asked for only where it is to be reported. */
  readonly mayAll: boolean
}

/** Where the name of the table is that a statement changes, and what it does with it. */
const TARGETS: Partial<Record<StatementKind, { at: number; actions: readonly ObjectAction[] }>> = {
  insert: { at: 2, actions: ['insert'] },
  update: { at: 1, actions: ['update'] },
  delete: { at: 2, actions: ['delete'] },
  merge: { at: 2, actions: ['insert', 'update', 'delete'] },
}

/** Of what is only explained, as if it ran. */
export async function findUses(statement: ReadStatement, finding: Finding): Promise<FoundUses> {
  const { sql, tokens, explains } = statement
  if (!finding.mayAll) requireKnownTableFunctions(tokens)
  const from = tokens[explains]?.start ?? 0
  const inner = tokens.slice(explains).map((token) => ({
    ...token,
    start: token.start - from,
    end: token.end - from,
  }))
  return usesOf({ ...statement, sql: sql.slice(from), tokens: inner }, { ...finding, from })
}

/** What a statement changes, by its text alone; null: nothing that has a name. */
export function targetOf(statement: ReadStatement, place: Finding['place']): ObjectName | null {
  const tokens = statement.tokens.slice(statement.explains)
  const at = TARGETS[statement.kind]?.at
  if (at === undefined) return definitionIn({ ...statement, tokens }, place)?.uses[0]?.object ?? null
  const name = nameAt(tokens, at)
  return name && placed('table', name, place)
}

/** By what it is: Iceberg notes who has written rows, and nobody else. */
export const leavesSnapshot = ({ kind }: ReadStatement): boolean =>
  TARGETS[kind] !== undefined || kind === 'truncate' || kind === 'create table'

interface FindingFrom extends Finding {
  /** Where the text is in the statement. */
  readonly from: number
}

async function usesOf(statement: ReadStatement, finding: FindingFrom): Promise<FoundUses> {
  const { sql, kind } = statement
  const { place, analyze, from, mayAll } = finding
  if (kind === 'query') {
    const { references, columns } = await analyze({ sql, from })
    return { uses: reads(references, mayAll), definition: null, bound: [], columns }
  }
  if (TARGETS[kind])
    return { uses: await changes(statement, finding), definition: null, bound: [], columns: [] }
  const definition = definitionIn(statement, place)
  if (!definition) throw refused('permission', 'Only a database administrator can run this statement.')
  const query = mayAll && kind !== 'create view' ? null : definition.query
  const bound = query ? reads((await analyze({ ...query, from: query.from + from })).references, mayAll) : []
  return { uses: [...definition.uses, ...bound], definition, bound, columns: [] }
}

async function changes(
  statement: ReadStatement,
  { place, analyze, from, mayAll }: FindingFrom,
): Promise<ObjectUse[]> {
  const { tokens, kind } = statement
  const { at = 0, actions = [] } = TARGETS[kind] ?? {}
  const [name, probe] = [nameAt(tokens, at), probeOf(statement)]
  if (!name || !probe) throw refused('syntax', 'The name of the table in this statement cannot be read.')
  const object = placed('table', name, place)
  const { references } = await analyze({ ...probe, from: probe.from === null ? null : probe.from + from })
  const own = references.filter((one) => one.through === null && isSame(one.object, object))
  const others = references.filter((one) => !own.includes(one))
  // Of one that chooses among rows of its table, the query that is analyzed has the table in it.
  const readsTarget = kind === 'insert' ? own.length > 0 : own.length > 1 || own.some(usesColumns)
  const read =
    readsTarget || kind === 'merge'
      ? [{ action: 'read', object, through: null, ofTarget: true } as const]
      : []
  return [...read, ...reads(others, mayAll), ...actions.map((action) => ({ action, object, through: null }))]
}

const usesColumns = (reference: Reference): boolean => reference.usesColumns

const isSame = (one: ObjectName, other: ObjectName): boolean =>
  one.catalog === other.catalog && one.database === other.database && one.name === other.name

/** Each once. */
function reads(references: readonly Reference[], mayAll: boolean): ObjectUse[] {
  const uses = new Map<string, ObjectUse>()
  for (const { object: found, through } of references) {
    if (!mayAll) requireOwn(found)
    const object: ObjectName = found.database === LISTS ? { ...found, type: 'listing' } : found
    const use: ObjectUse = { action: 'read', object, through }
    uses.set(JSON.stringify(use), use)
  }
  return [...uses.values()]
}

/** In every catalog. It shows all names of that. */
const LISTS = 'information_schema'

/** Lists of the cluster show the objects and statements of all users. */
function requireOwn({ catalog }: ObjectName): void {
  if (catalog === 'system')
    throw refused(
      'permission',
      'Only a database administrator can read the lists of this engine. Use SHOW, or the catalog page.',
    )
}

/** Whether somebody who may see these names may see all of a catalog. */
const seesAll = (listed: readonly ListedName[], catalog: string): boolean => {
  const here = listed.filter((one) => one.catalog === '' || one.catalog.toLowerCase() === catalog)
  const hasAll = (type: ListedName['type']): boolean =>
    here.some((one) => one.type === type && one.database === '' && one.name === '')
  return hasAll('table') && hasAll('view') && !here.some(({ type }) => type === 'hidden')
}

/** What a cluster lists cannot be shown in part. Throws unless all of it may be seen. */
export function requireListed(uses: readonly ObjectUse[], listed: readonly ListedName[]): void {
  for (const { object } of uses)
    if (object.type === 'listing' && !seesAll(listed, object.catalog))
      throw refused(
        'permission',
        `${LISTS} of the catalog ${object.catalog} shows all names in it, and you may see only some of them. Use SHOW, or the catalog page.`,
      )
}

/** Functions that make a table of nothing but what they are given. Others reach data that is not reported. */
const KNOWN_FUNCTIONS = new Set(['EXCLUDE_COLUMNS'])

function requireKnownTableFunctions(tokens: readonly SqlToken[]): void {
  tokens.forEach(({ kind, text }, at) => {
    if (kind !== 'word' || text !== 'TABLE' || tokens[at + 1]?.text !== '(') return
    const [name, behind] = [tokens[at + 2]?.text ?? '', tokens[at + 3]?.text]
    if (behind === '(' && KNOWN_FUNCTIONS.has(name)) return
    // An argument that is a table: `input => TABLE(orders)`.
    if (behind !== '(' && tokens[at - 1]?.text === '=>') return
    throw refused('permission', 'Only a database administrator can call this table function.')
  })
}
