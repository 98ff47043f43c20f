import type { CodeName, EngineErrorKind } from '@boathouse/contract'
import type { ErrorDetail } from '../../../kernel/error-detail.ts'

/** How MySQL numbers an error, and its SQLSTATE. Clients act on both: a pool drops the connection, or begins again. */
export type ErrorNumber = readonly [number: number, sqlState: string]

export interface NumberedError {
  readonly code: CodeName
  readonly errorKind?: EngineErrorKind | null | undefined
  readonly errorDetail?: ErrorDetail | undefined
}

const ANY: ErrorNumber = [1105, 'HY000']
const DENIED: ErrorNumber = [1045, '28000']
const LIMIT: ErrorNumber = [1226, '42000']
const NOT_SUPPORTED: ErrorNumber = [1235, '42000']
const SYNTAX: ErrorNumber = [1064, '42000']
/** Class 40: the whole transaction is undone, and may be sent again from its first statement. */
const BEGIN_AGAIN: ErrorNumber = [1213, '40001']

const BY_CODE: Readonly<Record<CodeName, ErrorNumber>> = {
  Ok: [0, '00000'],
  BadInput: SYNTAX,
  LoginRequired: DENIED,
  BadSignature: DENIED,
  StaleRequest: DENIED,
  // Of a client's own numbers: those are what pools know a connection by that is gone.
  ConnectionLost: [2006, '08S01'],
  WrongMethod: NOT_SUPPORTED,
  TooLarge: [1153, '08S01'],
  LoginFailed: DENIED,
  Cancelled: [1317, '70100'],
  EmailDiffers: ANY,
  SignUpTokenInvalid: ANY,
  SignUpTokenExpired: ANY,
  NotBusinessEmail: ANY,
  NoPermission: [1227, '42000'],
  AccountFrozen: [3118, 'HY000'],
  NotInTrial: [1227, '42000'],
  UnknownCall: NOT_SUPPORTED,
  NotFound: ANY,
  ResultExpired: ANY,
  LinkUnusable: ANY,
  Conflict: ANY,
  NameTaken: [1050, '42S01'],
  ReadOnly: [1290, 'HY000'],
  IpBlocked: [1130, 'HY000'],
  LimitReached: LIMIT,
  ConnectionLimit: [1040, '08004'],
  TooManyAttempts: [1129, 'HY000'],
  WarehouseFull: LIMIT,
  QuotaExceeded: LIMIT,
  QueryFailed: ANY,
  NoRunningWarehouse: ANY,
  SsoFailed: ANY,
  MarketplaceFailed: ANY,
  PaymentFailed: ANY,
  StatementTimedOut: [3024, 'HY000'],
  // Not of class 40: a write whose effect is not known must not be sent again unseen.
  Interrupted: ANY,
  Internal: ANY,
  Unavailable: ANY,
  DiskFull: [1021, 'HY000'],
}

const BY_KIND: Readonly<Record<EngineErrorKind, ErrorNumber>> = {
  syntax: SYNTAX,
  missing: [1146, '42S02'],
  permission: [1142, '42000'],
  data: [1366, 'HY000'],
  resource: [1041, 'HY000'],
  unavailable: ANY,
  internal: ANY,
}

const BY_DETAIL: Readonly<Record<ErrorDetail, ErrorNumber>> = {
  'disk-full': [1021, 'HY000'],
  'unexpected-word': SYNTAX,
  unreadable: SYNTAX,
  'not-supported': NOT_SUPPORTED,
  'missing-database': [1049, '42000'],
  'missing-table': [1146, '42S02'],
  'missing-column': [1054, '42S22'],
  'missing-function': [1305, '42000'],
  'missing-variable': [1193, 'HY000'],
  'missing-prepared': [1243, 'HY000'],
  'missing-connection': [1094, 'HY000'],
  'missing-savepoint': [1305, '42000'],
  exists: [1050, '42S01'],
  'ambiguous-column': [1052, '23000'],
  'not-grouped': [1055, '42000'],
  'wrong-count': [1136, '21S01'],
  'several-rows': [1242, '21000'],
  'duplicate-key': [1062, '23000'],
  'not-null': [1048, '23000'],
  check: [3819, 'HY000'],
  'foreign-key': [1452, '23000'],
  'referenced-key': [1451, '23000'],
  cast: [1292, '22007'],
  'out-of-range': [1264, '22003'],
  'division-by-zero': [1365, '22012'],
  'wrong-value': [1231, '42000'],
  conflict: BEGIN_AGAIN,
  'failed-transaction': [1179, '25000'],
  'inside-transaction': [1179, '25000'],
  'rolled-back': BEGIN_AGAIN,
  'read-only': [1792, '25006'],
}

/** Codes that say no more than that a statement failed: what the engine says of it decides. */
const COARSE: ReadonlySet<CodeName> = new Set(['QueryFailed', 'NoPermission', 'NotFound', 'Interrupted'])

export function errorNumberOf({ code, errorKind, errorDetail }: NumberedError): ErrorNumber {
  if (!COARSE.has(code)) return BY_CODE[code]
  if (errorDetail) return BY_DETAIL[errorDetail]
  return errorKind ? BY_KIND[errorKind] : BY_CODE[code]
}
