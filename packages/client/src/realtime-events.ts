import type { QueryRsp } from '@boathouse/contract/realtime'

export type RealtimeStatus = 'closed' | 'connecting' | 'open' | 'waiting'

/**
 * Why a query will not be answered any more: reset: the channel was lost while it ran, too long ago to send it again;
 * retriesSpent: its connection was lost again and again; refused: the service did not accept the message, or it is not
 * a query at all; queueFull: too many queries wait for the channel to open; closed: the channel was closed, as at
 * logout.
 */
export type DropReason = 'reset' | 'retriesSpent' | 'refused' | 'queueFull' | 'closed'

export interface DroppedQuery {
  readonly requestId: string
  readonly channel: string
  readonly reason: DropReason
  /** What is known beyond the reason; may be empty. */
  readonly message: string
}

export interface RealtimeEvents {
  status: RealtimeStatus
  answer: QueryRsp
  /** Ids of connections that are gone; a tab with one of them has lost it. */
  lostConnections: readonly number[]
  event: { readonly type: string; readonly data: unknown }
  relogin: null
  /** The firewall of the account does not allow this address; the client keeps trying. */
  blocked: null
  /** Its connection was lost and it is sent again, for the first, second or third time. */
  retry: { readonly requestId: string; readonly channel: string; readonly attempt: number }
  dropped: DroppedQuery
  'message-ignored': { readonly reason: string }
}

export type RealtimeEventName = keyof RealtimeEvents
