import { MESSAGES } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { NO_ROWS } from '../query/sessions/own-rows.ts'
import type { SessionEffect, SessionTools } from '../query/sessions/session-tools.ts'
import { readableIn } from '../query/sessions/unreadable.ts'
import { type From, requireUserAdmin } from './changes.ts'

const FORMS = {
  createUser:
    "CREATE USER [IF NOT EXISTS] name IDENTIFIED BY 'password' | EMAIL 'address' [DEFAULT ROLE role, …]",
  alterUser:
    "ALTER USER name IDENTIFIED [WITH mysql_native_password] BY 'password' | SET EMAIL 'address' | DEFAULT ROLE role, … | ALL | NONE",
  dropUser: 'DROP USER [IF EXISTS] name',
  createRole: "CREATE ROLE [IF NOT EXISTS] name [COMMENT 'text']",
  dropRole: 'DROP ROLE [IF EXISTS] name',
  grant:
    'GRANT role, … TO [USER|ROLE] name, or GRANT privilege, … ON [TABLE|VIEW|MATERIALIZED VIEW|DATABASE|CATALOG|FUNCTION|WAREHOUSE] name | ALL TABLES IN DATABASE name | SYSTEM TO [USER|ROLE] name [WITH GRANT OPTION]',
  revoke: 'REVOKE role, … FROM [USER|ROLE] name, or REVOKE privilege, … ON object FROM [USER|ROLE] name',
  setDefaultRole: 'SET DEFAULT ROLE role, … | ALL | NONE [TO user]',
  setPassword: "SET PASSWORD FOR user = PASSWORD('password')",
  show: "SHOW GRANTS [FOR [USER|ROLE] name], SHOW ROLES [LIKE 'pattern'] or SHOW USERS [LIKE 'pattern']",
} as const

export const DONE: SessionEffect = { result: NO_ROWS }

export const readable = readableIn(FORMS)

export const fromOf = ({ actor, clientIp }: SessionTools): From => ({ actor, clientIp: clientIp ?? '' })

interface Parsed<T> {
  readonly success: boolean
  readonly data?: T
  readonly error?: { readonly issues: readonly { readonly message: string }[] }
}

/** The rules of the calls hold for statements too. */
export function checked<T>(parsed: Parsed<T>): T {
  if (parsed.success && parsed.data !== undefined) return parsed.data
  throw new AppError('QueryFailed', parsed.error?.issues[0]?.message ?? MESSAGES.correctValue)
}

/** With IF EXISTS and IF NOT EXISTS, a missing or existing object is no error. */
export async function unless(
  code: 'NotFound' | 'NameTaken' | null,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (code === null || !(error instanceof AppError) || error.code !== code) throw error
  }
}

export const requireAdmin = ({ actor }: SessionTools): void => requireUserAdmin(actor)
