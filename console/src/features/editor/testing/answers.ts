import { answerTo } from '@boathouse/client/testing/fake-socket'
import type { QueryRsp } from '@boathouse/contract/realtime'

/** A finished answer to a run of tab-1 on connection 7, with what the test cares about put over it. */
export function answer(run: { requestId: string; sql: string }, over: Partial<QueryRsp> = {}): QueryRsp {
  const message = answerTo(
    { connId: 7, oriConnId: 0, channel: 'tab-1', requestId: run.requestId, sql: run.sql },
    over,
  )
  if (message.cmd !== 2) throw new Error('answerTo makes answers to queries.')
  return message.queryRsp
}
