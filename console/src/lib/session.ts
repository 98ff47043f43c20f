import { newNonce, type UserInfo } from '@boathouse/contract'
import { useSyncExternalStore } from 'react'
import { logToConsole } from './console-log.ts'
import { createEmitter } from './emitter.ts'
import { type MenuMode, readSessionValues, type SessionValues, withLoggedAccount } from './session-values.ts'

export type { LoggedAccount, MenuMode, SessionValues } from './session-values.ts'

const PREFIX = 'boathouse.'

export interface Session {
  /** The same object until something changes. */
  get: () => SessionValues
  start: (login: { token: string; info: UserInfo }) => void
  /** Fresh user info of the same login. */
  setUser: (info: UserInfo) => void
  /** Forgets token and user; account, region, logged accounts and ubid stay for the next sign-in. */
  end: () => void
  setMenuMode: (mode: MenuMode) => void
  subscribe: (listener: () => void) => () => void
  /** Takes over what another window of this browser wrote. */
  reload: () => void
}

/** A browser may refuse storage (private window, full disk): the session then lives as long as the page. */
export function createSession(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Session {
  const changed = createEmitter<void>()
  let values = load()

  function read(name: keyof SessionValues): unknown {
    try {
      const text = storage.getItem(PREFIX + name)
      return text === null ? null : JSON.parse(text)
    } catch (error) {
      logToConsole(`The stored value ${PREFIX}${name} cannot be read; it is treated as absent.`, error)
      return null
    }
  }

  function write(name: keyof SessionValues, value: unknown): void {
    try {
      if (value === null) storage.removeItem(PREFIX + name)
      else storage.setItem(PREFIX + name, JSON.stringify(value))
    } catch (error) {
      logToConsole(`The value ${PREFIX}${name} cannot be stored; it is kept for this page only.`, error)
    }
  }

  function load(): SessionValues {
    return readSessionValues(read, () => {
      const ubid = newNonce()
      write('ubid', ubid)
      return ubid
    })
  }

  function change(next: Partial<SessionValues>): void {
    for (const [name, value] of Object.entries(next)) write(name as keyof SessionValues, value)
    values = { ...values, ...next }
    changed.emit()
  }

  return {
    get: () => values,
    start: ({ token, info }) =>
      change({
        token,
        user: info,
        account: info.accountId,
        region: info.region,
        loggedAccounts: withLoggedAccount(values.loggedAccounts, {
          accountId: info.accountId,
          region: info.region,
          user: info.user,
        }),
      }),
    setUser: (info) => change({ user: info }),
    end: () => change({ token: null, user: null }),
    setMenuMode: (mode) => change({ menuCollapseType: mode }),
    subscribe: (listener) => changed.subscribe(listener),
    reload() {
      values = load()
      changed.emit()
    },
  }
}

export const session: Session = createSession(window.localStorage)

// Signing in or out in one window does so in all of them; a null key means that everything was cleared.
window.addEventListener('storage', (event) => {
  if (event.key === null || event.key.startsWith(PREFIX)) session.reload()
})

export const useSession = (): SessionValues => useSyncExternalStore(session.subscribe, session.get)
