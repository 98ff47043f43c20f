export type { Api, CallOptions, CodeName } from './api.ts'
export {
  type Client,
  connect,
  type ConnectOptions,
  type KeyConnection,
  type PasswordConnection,
} from './connect.ts'
export {
  BoathouseError,
  CallError,
  ChannelError,
  type ErrorName,
  IncompleteError,
  type Position,
  StatementError,
} from './errors.ts'
export type { Field, Result, Row } from './result.ts'
export type { Place, Progress, RunOptions, Session, SessionOptions } from './session.ts'
