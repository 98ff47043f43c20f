import { CODES, QUERY_STATES, type QueryRsp } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { CUT_OFF } from '../../server/src/modules/query/running/ending.ts'
import { verdictOf } from './verdict.ts'

const answer = (part: Partial<QueryRsp>): QueryRsp => ({
  errCode: CODES.Ok.code,
  channel: 'tab',
  requestId: 'request-0001',
  connId: 1,
  oriConnId: 1,
  insId: 'a server',
  queryState: QUERY_STATES.Failed,
  result: [],
  fields: [],
  totalRows: 0,
  errMsg: '',
  timeUsed: 1,
  queryId: 'a query',
  catalogChange: false,
  dbChange: false,
  catalog: '',
  db: '',
  warehouseChange: false,
  warehouse: '',
  statementIndex: 0,
  statementCount: 1,
  statementStart: 0,
  statementEnd: 1,
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
  ...part,
})

test.each([
  ['reads', 'reads'],
  ['taken', 'taken'],
  ['not taken', 'not taken'],
  ['unknown', 'open'],
  ['untold', 'open'],
] as const)('the service’s words for a cut-off statement that is %s are understood', (effect, verdict) => {
  const errMsg = `The service ended while this statement ran. ${CUT_OFF[effect]}`
  expect(verdictOf(answer({ errCode: CODES.Interrupted.code, errMsg }))).toBe(verdict)
})

test('only a finished statement is taken, only a failed one is not, and what nobody foresaw is open', () => {
  expect(verdictOf(answer({ queryState: QUERY_STATES.Finished }))).toBe('taken')
  expect(verdictOf(answer({ errCode: CODES.QueryFailed.code }))).toBe('not taken')
  expect(verdictOf(answer({ errCode: CODES.ConnectionLost.code, queryId: '' }))).toBe('refused')
  expect(verdictOf(answer({ errCode: CODES.Internal.code, queryId: '' }))).toBe('open')
  expect(verdictOf(answer({ errCode: CODES.Interrupted.code, errMsg: 'Words of a later version.' }))).toBe(
    'open',
  )
})
