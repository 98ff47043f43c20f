import { user as userCalls } from '@boathouse/contract/user'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { send } from '../../lib/api.ts'
import { logToConsole } from '../../lib/console-log.ts'
import { useRealtime } from '../../lib/realtime-context.tsx'
import { session } from '../../lib/session.ts'
import { signInPath } from '../paths.ts'

/** Forgets the login, then leads to sign-in for the account if it is known. */
export function useLeave(): (next?: string) => Promise<void> {
  const navigate = useNavigate()
  return useCallback(
    (next) => {
      const { account, region } = session.get()
      session.end()
      return navigate({ href: signInPath(account, region, next) })
    },
    [navigate],
  )
}

export function useSignOut(): () => Promise<void> {
  const leave = useLeave()
  const realtime = useRealtime()
  return useCallback(async () => {
    // Before the service ends the login, which would close the channel as timed out.
    realtime.close()
    try {
      await send(userCalls.logout, {})
    } catch (error) {
      // Users can always leave; a login that the service could not end expires there.
      logToConsole('The logout could not be sent to the service.', error)
    }
    await leave()
  }, [leave, realtime])
}
