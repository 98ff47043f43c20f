import { OBJECT_TYPES, type Privilege, PRIVILEGES } from '@boathouse/contract'
import { likeMatcher, readShow, type Statement, type StatementKind } from '@boathouse/sql'
import type { Answer, SessionEffect } from './session-tools.ts'
import { OWN_ENGINE, ownRows } from './own-rows.ts'
import { unreadable } from './unreadable.ts'

type Shown = readonly [columns: readonly string[], rows: readonly (readonly string[])[]]

const ALL_PRIVILEGES = [...new Set<Privilege>(Object.values(PRIVILEGES).flat())]
const objectsWith = (privilege: Privilege): string =>
  OBJECT_TYPES.filter((type) => (PRIVILEGES[type] as readonly Privilege[]).includes(privilege)).join(',')

const NOTHING: readonly (readonly string[])[] = []
const EVENT_COLUMNS = [
  ...'Db,Name,Definer,Time zone,Type,Execute at,Interval value,Interval field'.split(','),
  ...'Starts,Ends,Status,Originator,character_set_client,collation_connection,Database Collation'.split(','),
]
const ROUTINE_TEXTS = ['character_set_client', 'collation_connection', 'Database Collation']

/** What clients of other servers ask for: there is one character set and one engine, and much of it is not there. */
const SHOWN = {
  'show-character-sets': [
    ['Charset', 'Description', 'Default collation', 'Maxlen'],
    [['utf8mb4', 'UTF-8 Unicode', 'utf8mb4_bin', '4']],
  ],
  'show-collations': [
    ['Collation', 'Charset', 'Id', 'Default', 'Compiled', 'Sortlen'],
    [['utf8mb4_bin', 'utf8mb4', '46', 'Yes', 'Yes', '1']],
  ],
  'show-engines': [
    ['Engine', 'Support', 'Comment', 'Transactions', 'XA', 'Savepoints'],
    [[OWN_ENGINE, 'DEFAULT', 'Tables of this account', 'YES', 'NO', 'NO']],
  ],
  'show-plugins': [
    ['Name', 'Status', 'Type', 'Library', 'License'],
    [['caching_sha2_password', 'ACTIVE', 'AUTHENTICATION', '', '']],
  ],
  'show-privileges': [
    ['Privilege', 'Context', 'Comment'],
    ALL_PRIVILEGES.map((one) => [one, objectsWith(one), '']),
  ],
  'show-status': [['Variable_name', 'Value'], NOTHING],
  'show-triggers': [
    ['Trigger', 'Event', 'Table', 'Statement', 'Timing', 'Created', 'sql_mode', 'Definer', ...ROUTINE_TEXTS],
    NOTHING,
  ],
  'show-events': [EVENT_COLUMNS, NOTHING],
  'show-open-tables': [['Database', 'Table', 'In_use', 'Name_locked'], NOTHING],
  'show-replication-status': [
    ['File', 'Position', 'Binlog_Do_DB', 'Binlog_Ignore_DB', 'Executed_Gtid_Set'],
    NOTHING,
  ],
  'show-binary-logs': [['Log_name', 'File_size', 'Encrypted'], NOTHING],
} satisfies Partial<Record<StatementKind, Shown>>

const answer =
  ([columns, rows]: Shown): Answer =>
  async (statement: Statement): Promise<SessionEffect> => {
    const show = readShow(statement)
    if (!show) throw unreadable()
    const isLike = likeMatcher(show.like)
    return {
      result: ownRows(
        columns,
        rows.filter(([name]) => isLike(name ?? '')),
      ),
    }
  }

export const CLIENT_STATEMENTS: Partial<Record<StatementKind, Answer>> = Object.fromEntries(
  Object.entries(SHOWN).map(([kind, shown]) => [kind, answer(shown)]),
)
