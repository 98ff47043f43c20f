import { AppError } from '../../../kernel/app-error.ts'
import { NO_ROWS } from './own-rows.ts'
import type { Answer } from './session-tools.ts'
import { speaksMysql } from './session-variables.ts'
import type { Warning } from './warning.ts'
import { noticed } from './warning.ts'

const NO_LOCKS = 'Tables cannot be locked. Each statement sees what was committed before it began.'

const accepted =
  (warnings: readonly Warning[]): Answer =>
  async (_, { connection }) => {
    if (!speaksMysql(connection)) throw new AppError('QueryFailed', NO_LOCKS, { detail: 'not-supported' })
    return { result: NO_ROWS, warnings }
  }

/**
 * Dumps lock what they read, and write LOCK TABLES around the rows that they hold. They do as well without. A user who counts
 * on a lock is warned. UNLOCK TABLES leaves a transaction open, as it does in MySQL where nothing was locked.
 */
export const TABLE_LOCKS = { 'lock-tables': accepted(noticed([NO_LOCKS])), 'unlock-tables': accepted([]) }
