import { user as userCalls } from '@boathouse/contract/user'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { send } from '../../lib/api.ts'
import { logToConsole } from '../../lib/console-log.ts'
import { useRealtime } from '../../lib/realtime-context.tsx'
import { session } from '../../lib/session.ts'
import { signInPath } from '../paths.ts'

/** SIGNIN-07, SIGNIN-46 to SIGNIN-48: forgets the login, then leads to sign-in for the account if it is known. */
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
    // CHANNEL-04: before the service ends the login, which would close the channel as timed out.
    realtime.close()
    try {
      await send(userCalls.logout, {})
    } catch (error) {
      // Whoever wants to leave is let go; a login that the service could not end runs out there by itself.
      logToConsole('The service could not be told of the logout.', error)
    }
    await leave()
  }, [leave, realtime])
}
