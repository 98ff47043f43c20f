import { type CodeName, CODES, type EngineErrorKind } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { ERROR_DETAILS, type ErrorDetail } from '../../kernel/error-detail.ts'
import { sqlErrorOf } from './errors.ts'

const numbered = (error: Omit<Parameters<typeof sqlErrorOf>[0], 'message'>) => {
  const { code, sqlState } = sqlErrorOf({ ...error, message: 'why' })
  return `${code}/${sqlState}`
}

const CODE_NUMBERS: Readonly<Record<CodeName, string>> = {
  Ok: '0/00000',
  BadInput: '1064/42000',
  LoginRequired: '1045/28000',
  BadSignature: '1045/28000',
  StaleRequest: '1045/28000',
  ConnectionLost: '2006/08S01',
  WrongMethod: '1235/42000',
  TooLarge: '1153/08S01',
  LoginFailed: '1045/28000',
  Cancelled: '1317/70100',
  EmailDiffers: '1105/HY000',
  SignUpTokenInvalid: '1105/HY000',
  SignUpTokenExpired: '1105/HY000',
  NotBusinessEmail: '1105/HY000',
  NoPermission: '1227/42000',
  AccountFrozen: '3118/HY000',
  NotInTrial: '1227/42000',
  UnknownCall: '1235/42000',
  NotFound: '1105/HY000',
  ResultExpired: '1105/HY000',
  LinkUnusable: '1105/HY000',
  Conflict: '1105/HY000',
  NameTaken: '1050/42S01',
  ReadOnly: '1290/HY000',
  IpBlocked: '1130/HY000',
  LimitReached: '1226/42000',
  ConnectionLimit: '1040/08004',
  TooManyAttempts: '1129/HY000',
  WarehouseFull: '1226/42000',
  QuotaExceeded: '1226/42000',
  QueryFailed: '1105/HY000',
  NoRunningWarehouse: '1105/HY000',
  SsoFailed: '1105/HY000',
  MarketplaceFailed: '1105/HY000',
  PaymentFailed: '1105/HY000',
  StatementTimedOut: '3024/HY000',
  Interrupted: '1105/HY000',
  Internal: '1105/HY000',
  Unavailable: '1105/HY000',
  DiskFull: '1021/HY000',
}

test.each(Object.keys(CODES) as CodeName[])('%s has its number', (code) => {
  expect(numbered({ code })).toBe(CODE_NUMBERS[code])
  expect(numbered({ code, errorKind: null })).toBe(CODE_NUMBERS[code])
})

const KIND_NUMBERS: Readonly<Record<EngineErrorKind, string>> = {
  syntax: '1064/42000',
  missing: '1146/42S02',
  permission: '1142/42000',
  data: '1366/HY000',
  resource: '1041/HY000',
  unavailable: '1105/HY000',
  internal: '1105/HY000',
}

test.each(Object.entries(KIND_NUMBERS))('a statement that fails as %s has %s', (errorKind, expected) => {
  expect(numbered({ code: 'QueryFailed', errorKind: errorKind as EngineErrorKind })).toBe(expected)
})

const DETAIL_NUMBERS: Readonly<Record<ErrorDetail, string>> = {
  'disk-full': '1021/HY000',
  'unexpected-word': '1064/42000',
  unreadable: '1064/42000',
  'not-supported': '1235/42000',
  'missing-database': '1049/42000',
  'missing-table': '1146/42S02',
  'missing-column': '1054/42S22',
  'missing-function': '1305/42000',
  'missing-variable': '1193/HY000',
  'missing-prepared': '1243/HY000',
  'missing-connection': '1094/HY000',
  'missing-savepoint': '1305/42000',
  exists: '1050/42S01',
  'ambiguous-column': '1052/23000',
  'not-grouped': '1055/42000',
  'wrong-count': '1136/21S01',
  'several-rows': '1242/21000',
  'duplicate-key': '1062/23000',
  'not-null': '1048/23000',
  check: '3819/HY000',
  'foreign-key': '1452/23000',
  'referenced-key': '1451/23000',
  cast: '1292/22007',
  'out-of-range': '1264/22003',
  'division-by-zero': '1365/22012',
  'wrong-value': '1231/42000',
  conflict: '1213/40001',
  'failed-transaction': '1179/25000',
  'inside-transaction': '1179/25000',
  'rolled-back': '1213/40001',
  'read-only': '1792/25006',
}

test.each(ERROR_DETAILS)('what is known more exactly has its own number: %s', (errorDetail) => {
  const error = { code: 'QueryFailed', errorKind: 'data', errorDetail } as const
  expect(numbered(error)).toBe(DETAIL_NUMBERS[errorDetail])
})

test('a privilege on an object is another number than one of the service', () => {
  expect(numbered({ code: 'NoPermission', errorKind: 'permission' })).toBe('1142/42000')
  expect(numbered({ code: 'NoPermission' })).toBe('1227/42000')
})

test('what was stopped says so, whatever the engine says of it', () => {
  expect(numbered({ code: 'Cancelled', errorKind: 'data', errorDetail: 'cast' })).toBe('1317/70100')
  expect(numbered({ code: 'StatementTimedOut', errorKind: 'data' })).toBe('3024/HY000')
})

test('a transaction that is gone may be sent again, a statement whose effect is unknown may not', () => {
  expect(numbered({ code: 'Interrupted', errorDetail: 'rolled-back' })).toBe('1213/40001')
  expect(numbered({ code: 'Interrupted' })).toBe('1105/HY000')
})

test('every SQLSTATE has five characters, and the message is the one of the service', () => {
  for (const text of [CODE_NUMBERS, KIND_NUMBERS, DETAIL_NUMBERS].flatMap((one) => Object.values(one)))
    expect(text).toMatch(/^\d{1,4}\/[0-9A-Z]{5}$/)
  expect(sqlErrorOf({ code: 'LoginFailed', message: 'why' }).message).toBe('why')
})
