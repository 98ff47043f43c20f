import { z } from 'zod/mini'
import { LIMITS } from './limits.ts'
import { BoundValues } from './parameters.ts'

/**
 * The realtime channel: `/websocket/connect` on the regional host, not below `/api`, JSON text messages distinguished
 * by `cmd`. A client ignores answers it does not know.
 */
export const CHANNEL_PATH = '/websocket/connect'

export const CHANNEL_PARAMETERS = ['client_id', 'token', 'nonce', 'timestamp', 'signature'] as const

/** The first query of a tab requests a connection with 0; -1 is a lost one. */
export const CONN_NEW = 0
export const CONN_LOST = -1

export const QUERY_STATES = { Unknown: 0, Running: 1, Finished: 2, Failed: 3 } as const
export type QueryState = (typeof QUERY_STATES)[keyof typeof QUERY_STATES]

const ConnId = z.int().check(z.gte(CONN_LOST))

export const QueryReq = z.object({
  connId: ConnId,
  sql: z
    .string()
    .check(
      z.minLength(1, 'there is no statement in this text'),
      z.maxLength(LIMITS.sqlLength, `a text has at most ${LIMITS.sqlLength} characters`),
    ),
  /** Chosen by the client, returned unchanged: the tab that asked. */
  channel: z.string().check(z.maxLength(64)),
  /** The statement's identity: sent twice, it runs once and answers twice. */
  requestId: z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/)),
  /** The connection the tab had before; its state (catalog, database, warehouse) moves to the new one. */
  oriConnId: ConnId,
  /** For the parameters `:name` and `{{name}}` of its statements: each needs one, and none is left over. */
  values: z.optional(BoundValues),
})
export type QueryReq = z.infer<typeof QueryReq>

export const ClientMessage = z.discriminatedUnion('cmd', [
  /** `since` asks for the events after that one, which a lost channel may have missed. */
  z.object({
    cmd: z.literal(1),
    connIds: z.array(ConnId).check(z.maxLength(1000)),
    since: z.optional(z.int().check(z.gte(0))),
  }),
  z.object({ cmd: z.literal(2), queryReq: QueryReq }),
  z.object({ cmd: z.literal(3), connId: ConnId }),
])
export type ClientMessage = z.infer<typeof ClientMessage>

/** How a column is aligned, compared and exported, whatever the engine calls its type. */
const FieldFamily = z.enum(['number', 'text', 'boolean', 'temporal', 'binary', 'nested', 'other'])

export const Field = z.object({
  name: z.string(),
  /** The engine's own spelling, as in DECIMAL(18,2). */
  type: z.string(),
  family: FieldFamily,
  /** What the values are, whatever the engine calls it; see docs/adr/0045. Missing of results that are older than this. */
  valueType: z.optional(z.looseObject({ kind: z.string() })),
})
export type Field = z.infer<typeof Field>

/** Every value is its exact text; null is SQL's NULL. */
export const Row = z.array(z.nullable(z.string()))
export type Row = z.infer<typeof Row>

/** A cell that is longer than it is shown: 0-based place and true length in characters. */
export const LongCell = z.object({ row: z.int(), column: z.int(), length: z.int() })
export type LongCell = z.infer<typeof LongCell>

/**
 * What an engine says is wrong with a statement. `syntax`: it makes no sense; `missing`: it names what is not there;
 * `permission`: it is never done; `data`: the values do not allow it; `resource`: memory, disk or another limit;
 * `unavailable`: the engine is gone and nothing was run; `internal`: a fault of the engine.
 */
const ENGINE_ERROR_KINDS = [
  'syntax',
  'missing',
  'permission',
  'data',
  'resource',
  'unavailable',
  'internal',
] as const
export type EngineErrorKind = (typeof ENGINE_ERROR_KINDS)[number]

/** The fields below `warehouse` are ours. */
export const QueryRsp = z.object({
  errCode: z.int(),
  channel: z.string(),
  requestId: z.string(),
  connId: ConnId,
  oriConnId: ConnId,
  /** The server instance that answers. */
  insId: z.string(),
  queryState: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  result: z.array(Row),
  fields: z.array(Field),
  totalRows: z.int(),
  errMsg: z.string(),
  /** Milliseconds. */
  timeUsed: z.number(),
  queryId: z.string(),
  catalogChange: z.boolean(),
  dbChange: z.boolean(),
  catalog: z.string(),
  db: z.string(),
  warehouseChange: z.boolean(),
  warehouse: z.string(),
  /** A text of several statements answers once for each. */
  statementIndex: z.int(),
  statementCount: z.int(),
  /** Place of the statement in the text that was sent. */
  statementStart: z.int(),
  statementEnd: z.int(),
  /** More rows existed than are shown. */
  truncated: z.boolean(),
  /** Place of an error in the text that was sent: 0-based offset, 1-based line and column. */
  errPosition: z.nullable(z.object({ offset: z.int(), line: z.int(), column: z.int() })),
  /** Empty when it is not the engine that says what is wrong. */
  errKind: z.enum(['', ...ENGINE_ERROR_KINDS]),
  /** What is the matter where the kind is too coarse, as in `missing-column`; missing when nobody says. */
  errDetail: z.optional(z.string()),
  /** 0 to 100 while running, null when the engine cannot tell. */
  progress: z.nullable(z.number()),
  /** Rows read so far of the tables it reads from, and all of them, as the engine estimates; null when it cannot tell. */
  progressRows: z.nullable(z.number()),
  progressTotalRows: z.nullable(z.number()),
  /** Place in the warehouse's line, from 1 on; null when it does not wait. */
  queuePlace: z.nullable(z.int()),
  /** What the user should know beside the result, such as what was lost with the engine; may be empty. */
  notice: z.string(),
  longCells: z.array(LongCell),
  /** The rows are kept under the query id: they can be read in windows and exported. */
  resultKept: z.boolean(),
  /** The statement has more rows than its limit: this is how many are here. Missing when all are. */
  firstRows: z.optional(z.int()),
})
export type QueryRsp = z.infer<typeof QueryRsp>

/** The last one is ours: saved queries of the user were changed, in this window or another. */
export const GLOBAL_EVENTS = [
  'GlobalEventTypePermissionChanged',
  'GlobalEventTypeAccountStateChanged',
  'GlobalEventTypeCatalogChanged',
  'GlobalEventTypeDatabaseChanged',
  'GlobalEventTypeWarehouseChanged',
  'GlobalEventTypeEditorChanged',
  /** Ours, and without a number: statements started, progressed or ended. Not stored for clients that were away. */
  'GlobalEventTypeActivityChanged',
  /** Ours, and without a number: the processors of an engine are busier or less busy than they were. */
  'GlobalEventTypeLoadChanged',
  /** Ours, and without a number: a pipe has listed, loaded or failed. */
  'GlobalEventTypePipeChanged',
  /** Ours, and without a number: where somebody is in the text of a shared query. */
  'GlobalEventTypeEditorPresence',
  /** Ours, and without a number: of a query that the user has open. */
  'GlobalEventTypeEditorComments',
] as const
export type GlobalEvent = (typeof GLOBAL_EVENTS)[number]

/** Cmd 3 is ours and carries events. */
export const ServerMessage = z.discriminatedUnion('cmd', [
  z.object({ cmd: z.literal(0) }),
  z.object({ cmd: z.literal(1), keepAliveRsp: z.object({ notAliveConnIds: z.array(z.int()) }) }),
  z.object({ cmd: z.literal(2), queryRsp: QueryRsp }),
  z.object({ cmd: z.literal(3), seq: z.int(), type: z.string(), data: z.unknown() }),
])
export type ServerMessage = z.infer<typeof ServerMessage>

/** Reasons with which the server closes a channel; 4000 and up are for applications. */
export const CHANNEL_CLOSE = {
  LoginRequired: 4001,
  BadMessage: 4002,
  LimitReached: 4003,
  /** The firewall of the account does not allow this address (any more). */
  IpBlocked: 4004,
  ServerClosing: 1001,
} as const
