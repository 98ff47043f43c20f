import type { RealtimeClient } from '@boathouse/client/realtime-client'
import { CONN_NEW, type Field, QUERY_STATES } from '@boathouse/contract/realtime'
import { newNonce } from '@boathouse/contract/signature'

type Channel = Pick<RealtimeClient, 'submit' | 'on' | 'forget' | 'killConnection'>

export type Ran =
  | { readonly isDone: true; readonly fields: readonly Field[] }
  /** The place in the text, from 0, when the service knows it. */
  | { readonly isDone: false; readonly message: string; readonly offset: number | null }

/**
 * Runs a text as a statement of the user, by the way that every statement takes: the gate, the privileges and the history.
 * It has a connection of its own, which ends with it. Sent twice over a broken channel, it runs once.
 */
export function runText(realtime: Channel, sql: string): { readonly ran: Promise<Ran>; forget: () => void } {
  const requestId = newNonce()
  const stop: (() => void)[] = []
  const ran = new Promise<Ran>((resolve) => {
    const end = (result: Ran, connId: number) => {
      for (const listener of stop) listener()
      if (connId > 0) realtime.killConnection(connId)
      resolve(result)
    }
    stop.push(
      realtime.on('answer', (answer) => {
        const { queryState, connId, fields, errMsg, errPosition, statementIndex, statementCount } = answer
        if (answer.requestId !== requestId) return
        if (queryState === QUERY_STATES.Failed)
          end({ isDone: false, message: errMsg, offset: errPosition?.offset ?? null }, connId)
        else if (queryState === QUERY_STATES.Finished && statementIndex === statementCount - 1)
          end({ isDone: true, fields }, connId)
      }),
      realtime.on('dropped', (dropped) => {
        if (dropped.requestId === requestId) end({ isDone: false, message: dropped.message, offset: null }, 0)
      }),
    )
  })
  realtime.submit({ connId: CONN_NEW, oriConnId: CONN_NEW, sql, channel: requestId, requestId })
  return {
    ran,
    forget: () => {
      for (const listener of stop) listener()
      realtime.forget(requestId)
    },
  }
}
