import { describe, expect, test } from 'vitest'
import { LIMITS } from './limits.ts'
import { ClientMessage, QUERY_STATES, type QueryRsp, ServerMessage } from './realtime.ts'

const takes = (message: unknown) => ClientMessage.safeParse(message).success
const understands = (message: unknown) => ServerMessage.safeParse(message).success

const queryReq = { connId: 0, sql: 'SELECT 1', channel: 'tab-1', requestId: 'request-1', oriConnId: -1 }
const queryRsp: QueryRsp = {
  errCode: 20000,
  channel: 'tab-1',
  requestId: 'request-1',
  connId: 7,
  oriConnId: 0,
  insId: 'ins-1',
  queryState: 2,
  result: [['1', null]],
  fields: [{ name: 'n', type: 'DECIMAL(18,2)', family: 'number' }],
  totalRows: 1,
  errMsg: '',
  timeUsed: 1.5,
  queryId: 'query-1',
  catalogChange: false,
  dbChange: false,
  catalog: 'default_catalog',
  db: 'main',
  warehouseChange: false,
  warehouse: 'default_warehouse',
  statementIndex: 0,
  statementCount: 1,
  statementStart: 0,
  statementEnd: 8,
  truncated: false,
  errPosition: null,
  errKind: '',
  progress: null,
  progressRows: null,
  progressTotalRows: null,
  queuePlace: null,
  notice: '',
  longCells: [],
  resultKept: false,
}

test('query states are 0 unknown, 1 running, 2 finished, 3 failed [EDITOR-20, EDITOR-21, EDITOR-22, EDITOR-23]', () => {
  expect(QUERY_STATES).toEqual({ Unknown: 0, Running: 1, Finished: 2, Failed: 3 })
})

describe('what a client may send', () => {
  test('cmd 1 with connIds, cmd 2 with queryReq, cmd 3 with connId [CHANNEL-24, CHANNEL-25, CHANNEL-26]', () => {
    expect(takes({ cmd: 1, connIds: [] })).toBe(true)
    expect(takes({ cmd: 1, connIds: [1, 2] })).toBe(true)
    expect(takes({ cmd: 1, connIds: [], since: 0 })).toBe(true)
    expect(takes({ cmd: 2, queryReq })).toBe(true)
    expect(takes({ cmd: 3, connId: 7 })).toBe(true)
  })

  test.each([
    ['no message at all', null],
    ['a list', [{ cmd: 3, connId: 7 }]],
    ['no cmd', { connId: 7 }],
    ['an unknown cmd', { cmd: 4, connId: 7 }],
    ['a cmd of text', { cmd: '3', connId: 7 }],
    ['a keep-alive without ids', { cmd: 1 }],
    ['too many ids', { cmd: 1, connIds: Array.from({ length: 1001 }, (_, index) => index) }],
    ['an id of text', { cmd: 1, connIds: ['1'] }],
    ['events since before the first', { cmd: 1, connIds: [], since: -1 }],
    ['half an id', { cmd: 3, connId: 0.5 }],
    ['an id below -1', { cmd: 3, connId: -2 }],
    ['an id beyond exact integers', { cmd: 3, connId: 2 ** 53 }],
    ['a query without a body', { cmd: 2 }],
  ])('not %s', (_, message) => {
    expect(takes(message)).toBe(false)
  })

  test.each([
    ['without SQL', { sql: '' }],
    ['with too much SQL', { sql: 'x'.repeat(LIMITS.sqlLength + 1) }],
    ['with a short request id', { requestId: 'short' }],
    ['with a long request id', { requestId: 'x'.repeat(LIMITS.requestIdLength + 1) }],
    ['with a request id of other signs', { requestId: 'request 1' }],
    ['with a long channel', { channel: 'x'.repeat(65) }],
    ['without its old connection', { oriConnId: undefined }],
  ])('not a query %s', (_, over) => {
    expect(takes({ cmd: 2, queryReq: { ...queryReq, ...over } })).toBe(false)
  })

  test('a text without a statement or too long is refused with a message', () => {
    const problem = (sql: string) =>
      ClientMessage.safeParse({ cmd: 2, queryReq: { ...queryReq, sql } }).error?.issues[0]?.message
    expect(problem('')).toBe('there is no statement in this text')
    expect(problem('x'.repeat(LIMITS.sqlLength + 1))).toBe(
      `a text has at most ${LIMITS.sqlLength} characters`,
    )
  })

  test('a query of the largest size', () => {
    const largest = { sql: 'x'.repeat(LIMITS.sqlLength), requestId: 'x'.repeat(LIMITS.requestIdLength) }
    expect(takes({ cmd: 2, queryReq: { ...queryReq, ...largest } })).toBe(true)
  })
})

describe('what a client understands', () => {
  test('cmd 0, cmd 1 with notAliveConnIds, cmd 2 with every field of a queryRsp, cmd 3 with a typed event [CHANNEL-29, CHANNEL-30, CHANNEL-31, CHANNEL-34]', () => {
    expect(understands({ cmd: 0 })).toBe(true)
    expect(understands({ cmd: 1, keepAliveRsp: { notAliveConnIds: [7] } })).toBe(true)
    expect(ServerMessage.parse({ cmd: 2, queryRsp })).toEqual({ cmd: 2, queryRsp })
    expect(understands({ cmd: 3, seq: 1, type: 'GlobalEventTypePermissionChanged', data: null })).toBe(true)
  })

  test.each(
    [
      'errCode channel requestId connId oriConnId insId queryState result fields totalRows errMsg timeUsed',
      'queryId catalogChange dbChange catalog db warehouseChange warehouse',
    ].flatMap((names) => names.split(' ')),
  )('not an answer without %s [CHANNEL-31]', (name) => {
    expect(understands({ cmd: 2, queryRsp: { ...queryRsp, [name]: undefined } })).toBe(false)
  })

  test.each([
    ['an unknown query state', { queryState: 4 }],
    ['a long cell without its length', { longCells: [{ row: 0, column: 0 }] }],
    ['values that are not text', { result: [[1]] }],
    ['an unknown family of type', { fields: [{ name: 'n', type: 'INTEGER', family: 'integer' }] }],
  ])('not %s', (_, over) => {
    expect(understands({ cmd: 2, queryRsp: { ...queryRsp, ...over } })).toBe(false)
  })

  test('fields of a later version are passed over', () => {
    expect(ServerMessage.parse({ cmd: 2, queryRsp: { ...queryRsp, later: 1 }, more: 2 })).toEqual({
      cmd: 2,
      queryRsp,
    })
  })
})
