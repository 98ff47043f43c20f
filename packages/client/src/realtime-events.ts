import type { QueryRsp } from '@boathouse/contract/realtime'

export type RealtimeStatus = 'closed' | 'connecting' | 'open' | 'waiting'

/**
 * Why a query will not be answered any more:
 * reset: the channel was lost while it ran, too long ago to send it again (CHANNEL-17);
 * retriesSpent: its connection was lost again and again (CHANNEL-37);
 * refused: the service would not take the message, or it is not a query at all;
 * queueFull: too many queries wait for the channel to open;
 * closed: the channel was closed, as at logout.
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
  /** CHANNEL-31 */
  answer: QueryRsp
  /** CHANNEL-30: ids of connections that are gone; a tab holding one has lost it (CHANNEL-16). */
  lostConnections: readonly number[]
  /** CHANNEL-34 */
  event: { readonly type: string; readonly data: unknown }
  /** CHANNEL-39 */
  relogin: null
  /** The firewall of the account does not let in this address; it is tried again. */
  blocked: null
  /** CHANNEL-36: its connection was lost and it is sent again, for the first, second or third time. */
  retry: { readonly requestId: string; readonly channel: string; readonly attempt: number }
  dropped: DroppedQuery
  'message-ignored': { readonly reason: string }
}

export type RealtimeEventName = keyof RealtimeEvents
