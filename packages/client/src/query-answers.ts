import { CODES } from '@boathouse/contract/codes'
import { type ClientMessage, QueryReq, type QueryRsp } from '@boathouse/contract/realtime'
import type { ClockLike } from './clock.ts'
import type { PendingQueries } from './pending-queries.ts'
import type { RealtimeEmitter } from './realtime-emitter.ts'
import type { DropReason } from './realtime-events.ts'

interface QueryAnswersParts {
  readonly pending: PendingQueries
  readonly events: RealtimeEmitter
  readonly say: (message: ClientMessage) => void
  readonly clock: ClockLike
  readonly waitsForLogin: boolean
}

/** Sends pending queries, and decides with each answer whether a query has ended, is retried or waits for a login. */
export function createQueryAnswers({ pending, events, say, clock, waitsForLogin }: QueryAnswersParts) {
  function sendQuery(req: QueryReq): void {
    if (pending.sent(req, clock.now())) say({ cmd: 2, queryReq: req })
  }

  function drop(reqs: readonly QueryReq[], reason: DropReason, message = ''): void {
    for (const { requestId, channel } of reqs) {
      pending.forget(requestId)
      events.emit('dropped', { requestId, channel, reason, message })
    }
  }

  function answered(rsp: QueryRsp): void {
    const { requestId, channel } = rsp
    if (rsp.errCode === CODES.ConnectionLost.code) {
      const verdict = pending.connectionLost(rsp)
      if (verdict.kind === 'retry') {
        events.emit('retry', { requestId, channel, attempt: verdict.attempt })
        return sendQuery(verdict.req)
      }
      if (verdict.kind === 'spent')
        return events.emit('dropped', { requestId, channel, reason: 'retriesSpent', message: rsp.errMsg })
    }
    const isRefused = rsp.errCode === CODES.LoginRequired.code
    if (isRefused && waitsForLogin && pending.hold(requestId)) return events.emit('relogin', null)
    pending.answered(rsp)
    events.emit('answer', rsp)
    if (isRefused) events.emit('relogin', null)
  }

  /** Sends a query now, or as soon as the channel is open. */
  function submit(req: QueryReq, isOpen: boolean): void {
    const checked = QueryReq.safeParse(req)
    if (!checked.success)
      return drop([req], 'refused', checked.error.issues.map((issue) => issue.message).join('; '))
    if (!pending.add(req)) return drop([req], 'queueFull')
    if (isOpen) sendQuery(req)
  }

  return { sendQuery, submit, drop, answered }
}
