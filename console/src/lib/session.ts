import { createEmitter } from '@boathouse/client/emitter'
import { newNonce } from '@boathouse/contract/signature'
import type { UserInfo } from '@boathouse/contract/user'
import { useSyncExternalStore } from 'react'
import { logToConsole } from './console-log.ts'
import {
  type MenuMode,
  personOf,
  readSessionValues,
  type SessionValues,
  withLoggedAccount,
} from './session-values.ts'

export type { LoggedAccount, MenuMode, SessionValues } from './session-values.ts'

const PREFIX = 'boathouse.'

export interface Session {
  /** The same object until something changes. */
  get: () => SessionValues
  start: (login: { token: string; info: UserInfo }) => void
  /** Fresh user info of the same login. */
  setUser: (info: UserInfo) => void
  /** Forgets the token of a login that is over; every window keeps its work for the return of its user. */
  lapse: () => void
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
  // A page that is only being opened has no work to keep.
  if (values.token === null) values = { ...values, user: null }

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

  /** Other windows get an event for each value, so the value that the others belong to is written last. */
  function change(next: Partial<SessionValues>): void {
    for (const [name, value] of Object.entries(next)) write(name as keyof SessionValues, value)
    values = { ...values, ...next }
    changed.emit()
  }

  return {
    get: () => values,
    start: ({ token, info }) =>
      change({
        user: info,
        account: info.accountId,
        region: info.region,
        loggedAccounts: withLoggedAccount(values.loggedAccounts, {
          accountId: info.accountId,
          region: info.region,
          user: info.user,
        }),
        token,
      }),
    setUser: (info) => change({ user: info }),
    lapse: () => change({ token: null }),
    end: () => change({ user: null, token: null }),
    setMenuMode: (mode) => change({ menuCollapseType: mode }),
    subscribe: (listener) => changed.subscribe(listener),
    reload() {
      const next = load()
      const isOfAnother = next.user !== null && personOf(next) !== personOf(values)
      // Somebody else without a token: they are still signing in, or wait in a window of their own.
      values = next.token === null && isOfAnother ? { ...next, user: values.user } : next
      changed.emit()
    },
  }
}

/** Named with every use, since a browser may refuse even that: to a page in a frame of another website, for one. */
export const session: Session = createSession({
  getItem: (name) => window.localStorage.getItem(name),
  setItem: (name, value) => window.localStorage.setItem(name, value),
  removeItem: (name) => window.localStorage.removeItem(name),
})

// Signing in or out in one window does so in all of them; a null key means that everything was cleared.
window.addEventListener('storage', (event) => {
  if (event.key === null || event.key.startsWith(PREFIX)) session.reload()
})

export const useSession = (): SessionValues => useSyncExternalStore(session.subscribe, session.get)
