import { DEFAULT_CATALOG } from '@boathouse/contract'
import { AppError } from '../../../../kernel/app-error.ts'
import { type Bounds, readNumber, requireLabel, type StreamHeaders } from '../stream-options.ts'

/** Which transaction a request is about. */
export interface TransactionNames {
  readonly label: string
  readonly catalog: string
  readonly database: string
  /** Null: its parts say where they go. */
  readonly table: string | null
}

export interface BeginOptions extends TransactionNames {
  /** Its parts may go into several tables. */
  readonly isMulti: boolean
  readonly warehouse: string | null
  readonly timeoutSeconds: number
  /** Null: it may be idle for as long as it may take. */
  readonly idleSeconds: number | null
}

const LONGEST = 259_200
const TIMEOUT: Bounds = { least: 1, most: LONGEST, fallback: 600 }
const PREPARED: Bounds = { least: 1, most: LONGEST, fallback: 86_400 }
/** None is asked for. */
const IDLE: Bounds = { least: 1, most: LONGEST, fallback: 0 }

const missing = (header: string, what: string) => new AppError('BadInput', `${header}: ${what}`)

/** `db` may have its catalog in front. */
function placeOf(headers: StreamHeaders): Pick<TransactionNames, 'catalog' | 'database'> {
  const given = headers['db']?.trim() ?? ''
  const dot = given.indexOf('.')
  const catalog = headers['catalog']?.trim() || (dot > 0 ? given.slice(0, dot) : DEFAULT_CATALOG)
  const database = !headers['catalog']?.trim() && dot > 0 ? given.slice(dot + 1) : given
  if (!database) throw missing('db', 'Name the database of the transaction.')
  return { catalog, database }
}

export function readTransactionNames(headers: StreamHeaders): TransactionNames {
  const label = headers['label']?.trim()
  if (!label) throw missing('label', 'Name the transaction: every request of it has the same label.')
  return { label: requireLabel(label), ...placeOf(headers), table: headers['table']?.trim() || null }
}

export function readBeginOptions(headers: StreamHeaders): BeginOptions {
  const names = readTransactionNames(headers)
  const type = headers['transaction_type']?.trim().toLowerCase() ?? ''
  if (type !== '' && type !== 'multi' && type !== 'single')
    throw missing('transaction_type', 'Write multi, or leave it out.')
  const isMulti = type === 'multi'
  if (names.table === null && !isMulti)
    throw missing('table', 'Name the table, or send transaction_type: multi for several tables.')
  return {
    ...names,
    isMulti,
    warehouse: headers['warehouse']?.trim() || null,
    timeoutSeconds: readNumber(headers, 'timeout', TIMEOUT),
    idleSeconds: readNumber(headers, 'idle_transaction_timeout', IDLE) || null,
  }
}

export const readPreparedSeconds = (headers: StreamHeaders): number =>
  readNumber(headers, 'prepared_timeout', PREPARED)
