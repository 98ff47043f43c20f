import type { CodeName, EngineErrorKind } from '@boathouse/contract'
import type { SqlError } from './link/messages.ts'

export interface FailedWith {
  readonly code: CodeName
  readonly errorKind: EngineErrorKind | null
  readonly message: string
}

const NUMBERS: Partial<Record<CodeName, readonly [number, string]>> = {
  BadInput: [1064, '42000'],
  LoginRequired: [1045, '28000'],
  LoginFailed: [1045, '28000'],
  TooManyAttempts: [1045, '28000'],
  IpBlocked: [1130, 'HY000'],
  AccountFrozen: [3118, 'HY000'],
  ConnectionLimit: [1040, '08004'],
  LimitReached: [1203, '42000'],
  ConnectionLost: [1927, '70100'],
  Cancelled: [1317, '70100'],
  StatementTimedOut: [3024, 'HY000'],
  NoPermission: [1142, '42000'],
  NotFound: [1146, '42S02'],
}

/** What went wrong, as MySQL numbers errors. */
export function sqlErrorOf({ code, message }: FailedWith): SqlError {
  const [number, sqlState] = NUMBERS[code] ?? [1105, 'HY000']
  return { code: number, sqlState, message }
}
