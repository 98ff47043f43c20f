import { AppError } from '../../kernel/app-error.ts'
import type { StreamAnswer } from '../../modules/load/stream/live-load.ts'
import type { Streams } from '../../modules/load/stream/service.ts'
import type { ClientConnection } from '../../modules/query/connections/client-connection.ts'
import type { Warning } from '../../modules/query/sessions/warning.ts'
import { localFilesDisabled } from './door-errors.ts'
import { sqlErrorOf } from './errors.ts'
import type { SqlError } from './link/messages.ts'
import type { LocalFile } from './local-file.ts'
import { MOST_WARNINGS, type StatementOutcome } from './outcome.ts'

export type LoadData = Streams['loadData']

export interface FileLoadParts {
  readonly loadData: LoadData
  /** As the operator has chosen. */
  readonly isAllowed: boolean
}

/** Throws an `AppError` when it is refused before the file was asked for. */
export type LoadFile = (
  connection: Pick<ClientConnection, 'load'>,
  text: string,
  file: LocalFile,
) => Promise<StatementOutcome>

const LOAD_DATA = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|(?:--|#)[^\n]*\n)*load\s+data\b/i

/** Looks at the beginning alone: a text may be long. */
export const isLoadData = (text: string): boolean => LOAD_DATA.test(text.slice(0, 4_096))

/** Of MySQL: a value that does not fit. */
const WRONG_VALUE = 1366

const DISABLED_HERE =
  'Loading local files is disabled on this server (BOATHOUSE_MYSQL_LOCAL_INFILE). Load them in the console, or over HTTP.'

function failed(error: SqlError): StatementOutcome {
  return { error, affectedRows: 0, lastInsertId: 0, warnings: 0, info: '' }
}

function loaded({ total, loaded: rows, filtered, unselected }: StreamAnswer['counts']): StatementOutcome {
  return {
    error: null,
    affectedRows: rows,
    lastInsertId: 0,
    warnings: Math.min(MOST_WARNINGS, filtered),
    info: `Records: ${total}  Deleted: 0  Skipped: ${filtered + unselected}  Warnings: ${filtered}`,
  }
}

const warningOf = ({ line, column, reason }: StreamAnswer['counts']['rejected'][number]): Warning => ({
  level: 'Warning',
  code: WRONG_VALUE,
  message: `Row ${line ?? '?'}${column === null ? '' : `, column ${column}`}: ${reason}`,
})

/** LOAD DATA LOCAL INFILE: the client sends the file, which is loaded as one that is sent over HTTP. */
export function createFileLoads({ loadData, isAllowed }: FileLoadParts): LoadFile {
  return async (connection, text, file) => {
    if (!isAllowed) return failed(localFilesDisabled(DISABLED_HERE))
    try {
      return await connection.load(async ({ sender, place, quotes, stop, leave }) => {
        const answer = await loadData(sender, { text, quotes, place, stop }, (name) => file.read(name))
        if (answer.status === 'loaded') {
          leave(answer.counts.rejected.map(warningOf))
          return loaded(answer.counts)
        }
        if (file.refusal !== null) return failed(localFilesDisabled(file.refusal))
        return failed(sqlErrorOf({ code: 'QueryFailed', ...answer.cause, message: answer.message }))
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NoPermission') throw error
      // On a table, which has another number than a permission of the service.
      return failed(sqlErrorOf({ code: error.code, errorKind: 'permission', message: error.message }))
    } finally {
      file.abandon()
    }
  }
}
