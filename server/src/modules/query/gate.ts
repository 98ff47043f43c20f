import { hasPermission } from '@boathouse/contract'
import {
  type Classification,
  classify,
  type StatementClass,
  type StatementKind,
  tokenize,
  unquoteIdentifier,
} from '@boathouse/sql'
import type { Actor } from '../../kernel/actor.ts'

/**
 * Decides on one statement before an engine sees it, closed by default: a kind that is not named here, a text that
 * cannot be analysed, and a function that reaches outside the account's tables are refused.
 */

/** What a statement that writes needs. One that reads needs `table:select`. */
const PERMISSION_OF_KIND: Partial<Record<StatementKind, string>> = {
  insert: 'table:insert',
  update: 'table:update',
  delete: 'table:delete',
  merge: 'table:update',
  truncate: 'table:delete',
  'create-table': 'table:create',
  'create-view': 'table:create',
  'create-index': 'table:alter',
  'create-sequence': 'table:create',
  'create-macro': 'table:create',
  'alter-table': 'table:alter',
  'alter-view': 'table:alter',
  'alter-sequence': 'table:alter',
  'comment-on': 'table:alter',
  'drop-table': 'table:drop',
  'drop-view': 'table:drop',
  'drop-index': 'table:alter',
  'drop-sequence': 'table:drop',
  // There is no 'create-type': DuckDB 1.5 cannot replay a type outside `main` from its log, so that after a crash the
  // account's data could not be opened.
  'drop-type': 'table:drop',
  'drop-macro': 'table:drop',
  'create-database': 'database:create',
  'drop-database': 'database:drop',
}

/** Functions that read files, the network, the environment or settings, or change how the engine works. */
const FORBIDDEN_FUNCTIONS =
  /^(read_.*|parquet_.*|sniff_csv|glob|(arrow|iceberg|delta|sqlite|postgres|mysql|st_read)_?.*|getenv|current_setting|query|query_table|which_secret|load_aws_credentials|(force_)?checkpoint|write_log|parse_duckdb_log_message|(enable|disable)_(logging|profiling|.*_parser|.*_cache|progress_bar|.*verification.*|.*optimizer.*)|json_execute_serialized_sql|(from|get)_substrait.*)$/i

/** Views and schemas of the engine and of the service that show more than the account's data, however they are used. */
const FORBIDDEN_NAMES =
  /^(duckdb_(settings|secrets|databases|extensions|logs|log_contexts|temporary_files|memory)|pragma_.*|boathouse_(internal|results))$/i

/** All that the gate asks of whoever sends a statement. */
type Permitted = Pick<Actor, 'perms'>

type OpenClass = Exclude<StatementClass, 'forbidden'>

export type Verdict =
  | { readonly allowed: true; readonly kind: StatementKind; readonly class: OpenClass }
  | {
      readonly allowed: false
      readonly kind: StatementKind
      readonly class: StatementClass
      readonly refusal: Refusal
    }

export interface Refusal {
  readonly code: 'NoPermission' | 'QueryFailed'
  readonly message: string
  /** In the statement's own text, where there is a place to point at. */
  readonly offset: number | null
}

function forbiddenReach(sql: string): { name: string; offset: number } | null {
  const tokens = tokenize(sql).filter(({ kind }) => kind !== 'whitespace' && kind !== 'comment')
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' && token.kind !== 'quoted-identifier') continue
    const name = unquoteIdentifier(sql.slice(token.start, token.end))
    const next = tokens[index + 1]
    const isCalled = next !== undefined && sql.slice(next.start, next.end) === '('
    if (FORBIDDEN_NAMES.test(name) || (isCalled && FORBIDDEN_FUNCTIONS.test(name)))
      return { name, offset: token.start }
  }
  return null
}

/** Null when the kind needs none; undefined when none opens it, and it is refused to everyone. */
function permissionFor({ kind, class: kindClass, explained }: Classification): string | null | undefined {
  const named = PERMISSION_OF_KIND[kindClass === 'writes' ? (explained?.kind ?? kind) : kind]
  if (named !== undefined || kindClass === 'writes') return named
  return kindClass === 'reads' ? 'table:select' : null
}

const refuse = (message: string, offset = 0): Refusal => ({ code: 'QueryFailed', message, offset })

const words = (kind: StatementKind): string => kind.replaceAll('-', ' ').toUpperCase()

function forbidden({ kind, explained }: Pick<Classification, 'kind' | 'explained'>): Refusal {
  if (explained) return withoutPlan(explained)
  return kind === 'unknown'
    ? refuse('This is not a statement that is known here, so it cannot be checked and is not run.')
    : refuse(`${words(kind)} is not allowed: it would reach outside this account's data.`)
}

function withoutPlan({ kind, start }: NonNullable<Classification['explained']>): Refusal {
  const what = kind === 'unknown' ? 'what follows here is not one that is known' : `${words(kind)} has none`
  return refuse(`EXPLAIN shows the plan of a statement that reads or writes; ${what}.`, start)
}

function refusalOf(actor: Permitted, { classification, reach }: Analysis): Refusal | null {
  if (reach)
    return refuse(`${reach.name} is not allowed: it would reach outside this account's data.`, reach.offset)

  const permission = permissionFor(classification)
  if (permission === undefined)
    return refuse(`${words(classification.kind)} is not available in this version.`)
  if (permission === null || hasPermission(actor.perms, permission)) return null
  return {
    code: 'NoPermission',
    message: `This statement needs the permission ${permission}, and none of your active roles has it. An administrator of users can grant you a role that does, such as db_admin.`,
    offset: null,
  }
}

/** All that the text of a statement says, whoever sends it. */
export interface Analysis {
  readonly classification: Classification
  /** What in it would reach outside the account's data. */
  readonly reach: { readonly name: string; readonly offset: number } | null
}

export const analyse = (sql: string): Analysis => ({
  classification: classify(sql),
  reach: forbiddenReach(sql),
})

export function judgeAnalysed(actor: Permitted, analysis: Analysis): Verdict {
  const { kind, class: kindClass } = analysis.classification
  if (kindClass === 'forbidden')
    return { allowed: false, kind, class: kindClass, refusal: forbidden(analysis.classification) }
  const refusal = refusalOf(actor, analysis)
  return refusal
    ? { allowed: false, kind, class: kindClass, refusal }
    : { allowed: true, kind, class: kindClass }
}

export const judge = (actor: Permitted, sql: string): Verdict => judgeAnalysed(actor, analyse(sql))
