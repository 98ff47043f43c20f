import type { StatementKind } from './statement-kinds.ts'

/** The words a statement begins with: `a|b` is either of them, `[a|b]` may be missing. */
export type KindPattern = readonly [words: string, kind: StatementKind]

const SESSION = '[@@] [session|local] [.]'
const ANY_SCOPE = '[@@] [session|local|global] [.]'

const OBJECTS = [
  ['table', 'table'],
  ['view', 'view'],
  ['materialized view', 'materialized-view'],
  ['database|schema', 'database'],
  ['index', 'index'],
  ['sequence', 'sequence'],
  ['type', 'type'],
  ['macro|function', 'macro'],
  ['[external] catalog', 'catalog'],
  ['warehouse', 'warehouse'],
  ['user', 'user'],
  ['role', 'role'],
] as const

const CREATE =
  'create [or] [replace] [local|global] [temp|temporary|unlogged|external|persistent] [unique|recursive]'

const definitions: readonly KindPattern[] = OBJECTS.flatMap(([words, object]): KindPattern[] => [
  [`${CREATE} ${words}`, `create-${object}`],
  [`drop ${words}`, `drop-${object}`],
  [`alter ${words}`, `alter-${object}`],
])

/** The first pattern that fits decides, so the longer of two comes first. */
export const KIND_PATTERNS: readonly KindPattern[] = [
  ...definitions,
  [`${CREATE} secret`, 'create-secret'],
  ['drop [persistent|temporary] secret', 'drop-secret'],

  ['select|from|values|table', 'select'],
  ['pivot|pivot_wider', 'pivot'],
  ['unpivot|pivot_longer', 'unpivot'],
  ['insert', 'insert'],
  ['replace into', 'insert'],
  ['update extensions', 'update-extensions'],
  ['update', 'update'],
  ['delete', 'delete'],
  ['merge', 'merge'],
  ['truncate', 'truncate'],
  ['comment on', 'comment-on'],
  ['analyze|analyse', 'analyze'],
  ['vacuum', 'vacuum'],
  ['describe|desc select|with|from|values|pivot|unpivot|(', 'describe-query'],
  ['describe|desc warehouse', 'describe-warehouse'],
  ['describe|desc', 'describe'],
  ['summarize', 'summarize'],

  ['suspend warehouse', 'suspend-warehouse'],
  ['resume warehouse', 'resume-warehouse'],
  ['refresh materialized view', 'refresh-materialized-view'],
  ['grant', 'grant'],
  ['revoke', 'revoke'],
  ['kill', 'kill'],
  ['submit task', 'submit-task'],
  ['alter task', 'alter-task'],
  ['drop task', 'drop-task'],

  ['show [global|session|local] variables', 'show-variables'],
  ['show databases|schemas', 'show-databases'],
  ['show catalogs', 'show-catalogs'],
  ['show [all|full] tables', 'show-tables'],
  ['show views', 'show-views'],
  ['show materialized views', 'show-materialized-views'],
  ['show tasks', 'show-tasks'],
  ['show task runs', 'show-task-runs'],
  ['show [full] columns|fields', 'show-columns'],
  ['show create table', 'show-create-table'],
  ['show create view', 'show-create-view'],
  ['show create materialized view', 'show-create-materialized-view'],
  ['show create catalog', 'show-create-catalog'],
  ['show create database|schema', 'show-create-database'],
  ['show warehouses', 'show-warehouses'],
  ['show warnings|errors', 'show-warnings'],
  ['show count ( * ) warnings|errors', 'show-warnings'],
  ['show character set', 'show-character-sets'],
  ['show charset', 'show-character-sets'],
  ['show collation', 'show-collations'],
  ['show grants', 'show-grants'],
  ['show roles', 'show-roles'],
  ['show users', 'show-users'],
  ['show [full] processlist', 'show-processlist'],
  ['show profilelist', 'show-profilelist'],
  ['show running queries', 'show-running-queries'],
  ['show select|with|from|values|pivot|unpivot|(', 'describe-query'],

  ['use', 'use-database'],
  [`set ${SESSION} catalog`, 'set-catalog'],
  [`set ${SESSION} warehouse`, 'set-warehouse'],
  [`set ${ANY_SCOPE} sql_select_limit`, 'set-sql-select-limit'],
  ['set default role', 'set-default-role'],
  ['set role', 'set-role'],
  ['set password', 'set-password'],
  ['set variable|@', 'set-user-variable'],
  ['set', 'set-variable'],
  ['reset variable', 'reset-user-variable'],
  ['reset', 'reset-variable'],
  ['begin', 'begin'],
  ['start transaction', 'begin'],
  ['commit|end', 'commit'],
  ['rollback|abort', 'rollback'],

  ['attach', 'attach'],
  ['detach', 'detach'],
  ['call', 'call'],
  ['[force] checkpoint', 'checkpoint'],
  ['copy', 'copy'],
  ['export', 'export'],
  ['import', 'import'],
  ['[force] install', 'install'],
  ['inspect file', 'inspect-file'],
  ['load file', 'load-file'],
  ['stream load', 'stream-load'],
  ['load data', 'load-data'],
  ['load', 'load'],
  ['pragma', 'pragma'],
  ['prepare', 'prepare'],
  ['execute', 'execute'],
  ['deallocate', 'deallocate'],
  ['drop prepare', 'deallocate'],
]
