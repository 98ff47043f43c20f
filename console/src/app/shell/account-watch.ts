import type { RealtimeClient } from '@boathouse/client/realtime-client'
import { isFrozen, isResuming } from '@boathouse/contract/account-state'
import { GLOBAL_EVENTS } from '@boathouse/contract/realtime'
import { user as userCalls, type UserInfo } from '@boathouse/contract/user'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { queryKeyOf, send } from '../../lib/api.ts'
import { notify } from '../../ui/index.ts'
import { pollAccount } from '../account-poll.ts'
import { useServices } from './services.ts'
import { useLeave } from './sign-out.ts'

const CLOSED_NOTICE_MS = 5_000

const isHeld = (state: number): boolean => isFrozen(state) || isResuming(state)

/** In the moment in which the dialog over the page closes: a page that is replaced later loses what was typed meanwhile. */
function useRendersOnReturn(isHeldNow: boolean): number {
  const [last, setLast] = useState({ isHeld: isHeldNow, renders: 0 })
  if (last.isHeld !== isHeldNow)
    setLast({ isHeld: isHeldNow, renders: isHeldNow ? last.renders : last.renders + 1 })
  return last.renders
}

/**
 * Polled at once when the channel reports a change, with the unread messages. Gives a number that increases when the
 * page has to be rendered again.
 */
export function useAccountPoll(user: UserInfo, channel: Pick<RealtimeClient, 'on'>): number {
  const renders = useRendersOnReturn(isHeld(user.accountState))
  const { clock } = useServices()
  const queries = useQueryClient()
  const leave = useLeave()
  // Outlives a restart of the poll: a change is compared with the last known state.
  const known = useRef(user.accountState)
  useEffect(() => {
    const begin = () =>
      pollAccount({
        clock,
        firstState: known.current,
        ask: async () => {
          void queries.invalidateQueries({ queryKey: queryKeyOf(userCalls.listUnreadMessages) })
          return (await send(userCalls.accountInfo, {})).accountState
        },
        stateChanged: (state, before) => {
          known.current = state
          const isBack = isHeld(before) && !isHeld(state)
          // What was refused in between is loaded again.
          void queries.invalidateQueries(isBack ? {} : { queryKey: queryKeyOf(userCalls.info) })
        },
        accountClosed: () => {
          notify({ tone: 'warn', message: t('shell.accountClosed'), durationMs: CLOSED_NOTICE_MS })
          void leave()
        },
      })
    let stop = begin()
    const unsubscribe = channel.on('event', ({ type }) => {
      if (type !== GLOBAL_EVENTS[1]) return
      stop()
      stop = begin()
    })
    return () => {
      unsubscribe()
      stop()
    }
  }, [clock, queries, leave, channel])
  return renders
}
