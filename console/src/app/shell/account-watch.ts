import { contract, GLOBAL_EVENTS } from '@boathouse/contract'
import type { UserInfo } from '@boathouse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { queryKeyOf, send } from '../../lib/api.ts'
import type { RealtimeClient } from '../../lib/realtime-client.ts'
import { notify } from '../../ui/index.ts'
import { pollAccount } from '../account-poll.ts'
import { useServices } from './services.ts'
import { useLeave } from './sign-out.ts'

const CLOSED_NOTICE_MS = 5_000

/** SHELL-77 to SHELL-79, ACCOUNT-51; asked about at once when the channel tells of a change. */
export function useAccountPoll(user: UserInfo, channel: Pick<RealtimeClient, 'on'>): void {
  const { clock } = useServices()
  const { t } = useTranslation()
  const queries = useQueryClient()
  const leave = useLeave()
  const firstState = useRef(user.accountState)
  useEffect(() => {
    const begin = () =>
      pollAccount({
        clock,
        firstState: firstState.current,
        ask: async () => (await send(contract.user.accountInfo, {})).accountState,
        stateChanged: () => void queries.invalidateQueries({ queryKey: queryKeyOf(contract.user.info) }),
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
  }, [clock, queries, leave, t, channel])
}
