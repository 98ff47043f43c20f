import { foldedName } from '@boathouse/contract'
import { namesIn, type Statement } from '@boathouse/sql'
import {
  isSystemTable,
  SYSTEM_DATABASE,
  type SystemRow,
  type SystemRows,
  type SystemTable,
} from '../../engines/engine/system-tables.ts'
import type { Actor } from '../../kernel/actor.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Connection } from './sessions/connection.ts'

/** The rows of each table that somebody may see, newest first, and no more of them than a statement can take along. */
export type SystemSources = {
  readonly [T in SystemTable]: (actor: Actor, session: AskingSession) => Promise<readonly SystemRow<T>[]>
}

/** Of the statement that asks. */
export interface AskingSession {
  readonly connection: Connection
  /** With all roles that are active for the user. */
  readonly wholeActor: Actor
}

export const MOST_SYSTEM_ROWS = 5_000

const MAY_NAME = new RegExp(
  `\\b${SYSTEM_DATABASE}\\b|_privileges\\b|_roles\\b|_variables\\b|\\bprocesslist\\b|\\bloads\\b|\\bpipe(?:s|_files)\\b`,
  'i',
)

/** Of `information_schema`, the tables that are made of what the service knows. */
const BEHIND: Readonly<Record<string, SystemTable>> = {
  user_privileges: 'grants',
  schema_privileges: 'grants',
  table_privileges: 'grants',
  loads: 'loads',
  processlist: 'processes',
  session_variables: 'variables',
  global_variables: 'variables',
  applicable_roles: 'roles',
  enabled_roles: 'roles',
  pipes: 'pipes',
  pipe_files: 'pipe_files',
}

/** The tables of the service that a statement names. */
export function systemTablesIn(statement: Statement): readonly SystemTable[] {
  if (!MAY_NAME.test(statement.text)) return []
  const tables = new Set<SystemTable>()
  for (const { parts } of namesIn(statement)) {
    const [database = '', name = ''] = parts.map(foldedName)
    if (database === SYSTEM_DATABASE && isSystemTable(name)) tables.add(name)
    const behind = database === 'information_schema' ? BEHIND[name] : undefined
    if (behind) tables.add(behind)
  }
  return [...tables]
}

export async function systemRowsFor(
  sources: SystemSources,
  { actor, tables, ...session }: AskingSession & { actor: Actor; tables: readonly SystemTable[] },
): Promise<SystemRows | null> {
  if (tables.length === 0) return null
  const rows: SystemRows = {}
  for (const table of tables) rows[table] = jsonText(await sources[table](actor, session))
  return rows
}
