import { CODES } from '@boathouse/contract/codes'
import { CHANNEL_TIMES, QUERY_RETRIES } from '@boathouse/contract/limits'
import { CONN_NEW, QUERY_STATES, type QueryReq, type QueryRsp } from '@boathouse/contract/realtime'

interface Pending {
  readonly req: QueryReq
  /** When it first left; null while it waits for the channel to open. */
  readonly sentAt: number | null
}

/** Enough for every tab of a person; more means that something submits in a loop. */
export const MAX_WAITING = 100

/** A text of several statements answers once for each; after one that failed, nothing more runs. */
const isFinal = (rsp: QueryRsp): boolean =>
  rsp.errCode === CODES.LoginRequired.code ||
  rsp.queryState === QUERY_STATES.Failed ||
  (rsp.queryState === QUERY_STATES.Finished && rsp.statementIndex >= rsp.statementCount - 1)

const oldConnection = (req: QueryReq, rsp: QueryRsp): number =>
  [req.connId, rsp.connId].find((id) => id > CONN_NEW) ?? req.oriConnId

export type LostVerdict =
  | { readonly kind: 'retry'; readonly req: QueryReq; readonly attempt: number }
  | { readonly kind: 'spent' }
  /** Not the last query of its tab: its failure is simply an answer. */
  | { readonly kind: 'answer' }

/** Queries without a final answer yet, in the order in which they were submitted. */
export function createPendingQueries() {
  const pending = new Map<string, Pending>()
  /** By channel, which is the tab. */
  const last = new Map<string, { requestId: string; retries: number }>()

  function take(requestId: string): Pending | undefined {
    const found = pending.get(requestId)
    pending.delete(requestId)
    if (found && last.get(found.req.channel)?.requestId === requestId) last.delete(found.req.channel)
    return found
  }

  const requests = (wanted: (one: Pending) => boolean): QueryReq[] =>
    [...pending.values()].filter(wanted).map((one) => one.req)

  return {
    /** False when too many wait already. */
    add(req: QueryReq): boolean {
      const waiting = requests((one) => one.sentAt === null).length
      if (waiting >= MAX_WAITING) return false
      pending.set(req.requestId, { req, sentAt: null })
      last.set(req.channel, { requestId: req.requestId, retries: 0 })
      return true
    },

    /**
     * Counted from the first time, so that a statement that crashes the service is not sent forever. False when it was
     * forgotten in between.
     */
    sent(req: QueryReq, now: number): boolean {
      const found = pending.get(req.requestId)
      if (found) pending.set(req.requestId, { req, sentAt: found.sentAt ?? now })
      return found !== undefined
    },

    waiting: (): QueryReq[] => requests((one) => one.sentAt === null),
    underWay: (): QueryReq[] => requests((one) => one.sentAt !== null),

    sentShortlyBefore: (connectAt: number): QueryReq[] =>
      requests((one) => one.sentAt !== null && connectAt - one.sentAt <= CHANNEL_TIMES.resendWithinMs),

    answered(rsp: QueryRsp): void {
      if (isFinal(rsp)) take(rsp.requestId)
    },

    connectionLost(rsp: QueryRsp): LostVerdict {
      const found = pending.get(rsp.requestId)
      const tab = found && last.get(found.req.channel)
      if (!found || !tab || tab.requestId !== rsp.requestId) {
        take(rsp.requestId)
        return { kind: 'answer' }
      }
      if (tab.retries >= QUERY_RETRIES) {
        take(rsp.requestId)
        return { kind: 'spent' }
      }
      tab.retries++
      const req = { ...found.req, connId: CONN_NEW, oriConnId: oldConnection(found.req, rsp) }
      pending.set(req.requestId, { req, sentAt: null })
      return { kind: 'retry', req, attempt: tab.retries }
    },

    /** Refused for want of a login: it waits for the next. False when nobody waits for it. */
    hold(requestId: string): boolean {
      const found = pending.get(requestId)
      if (found) pending.set(requestId, { ...found, sentAt: null })
      return found !== undefined
    },

    forget: (requestId: string): boolean => take(requestId) !== undefined,
  }
}

export type PendingQueries = ReturnType<typeof createPendingQueries>
