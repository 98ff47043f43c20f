import { AppError } from '../../kernel/app-error.ts'
import { NoStatement } from '../../modules/query/analysis/no-statement.ts'
import { sqlErrorOf } from './errors.ts'
import type { SqlError } from './link/messages.ts'

/** Errors of the door itself, which no statement has. */

export const EMPTY_TEXT: SqlError = { code: 1065, sqlState: '42000', message: 'Query was empty' }
export const KILLED: SqlError = { code: 1927, sqlState: '70100', message: 'Connection was killed' }

export const SHUTTING_DOWN: SqlError = {
  code: 1053,
  sqlState: '08S01',
  message: 'Server shutdown in progress',
}

export const localFilesDisabled = (message: string): SqlError => ({ code: 3948, sqlState: '42000', message })

const UNFORESEEN = 'Something went wrong in the service, and it was logged. Try again.'

/** What a client is sent for what was thrown. */
export function sqlErrorFor(error: unknown): SqlError {
  if (error instanceof NoStatement) return EMPTY_TEXT
  return error instanceof AppError ? sqlErrorOf(error) : sqlErrorOf({ code: 'Internal', message: UNFORESEEN })
}

/** As MySQL words it: some tools look for these words. */
export const accessDenied = (user: string, address: string): SqlError => ({
  code: 1045,
  sqlState: '28000',
  message: `Access denied for user '${user}'@'${address}' (using password: YES)`,
})
