import { act, renderHook } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { adaLovelace } from '../testing/people.ts'
import { createSession, session, useSession } from './session.ts'

const refuse = () => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
}
const stored = () => Object.fromEntries(Object.entries(window.localStorage))

describe('what is kept in the browser', () => {
  test('token, ubid, user, account, region, logged accounts and menu mode, each under its own key [SHELL-75]', () => {
    const own = createSession(window.localStorage)
    own.start({ token: 'secret', info: adaLovelace() })
    own.setMenuMode('Auto')
    expect(stored()).toEqual({
      'boathouse.token': '"secret"',
      'boathouse.ubid': JSON.stringify(own.get().ubid),
      'boathouse.user': JSON.stringify(adaLovelace()),
      'boathouse.account': '"ABC12345"',
      'boathouse.region': '"local"',
      'boathouse.loggedAccounts': '[{"accountId":"ABC12345","region":"local","user":"ada"}]',
      'boathouse.menuCollapseType': '"Auto"',
    })
    expect(createSession(window.localStorage).get()).toEqual(own.get())
  })

  test('the browser id is random, made once and kept [SHELL-76]', () => {
    const first = createSession(window.localStorage).get().ubid
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(createSession(window.localStorage).get().ubid).toBe(first)
    window.localStorage.clear()
    expect(createSession(window.localStorage).get().ubid).not.toBe(first)
  })

  test('the end of a login forgets token and user and remembers where it was [SHELL-76]', () => {
    const own = createSession(window.localStorage)
    own.start({ token: 'secret', info: adaLovelace() })
    const { ubid } = own.get()
    own.end()
    expect(JSON.stringify(stored())).not.toContain('secret')
    expect(own.get()).toEqual({
      token: null,
      ubid,
      user: null,
      account: 'ABC12345',
      region: 'local',
      loggedAccounts: [{ accountId: 'ABC12345', region: 'local', user: 'ada' }],
      menuCollapseType: null,
    })
  })

  test('logged accounts are the five latest, most recent first, each once [SHELL-76]', () => {
    const own = createSession(window.localStorage)
    for (const digit of [1, 2, 3, 4, 5, 6, 2])
      own.start({ token: 'token', info: adaLovelace({ accountId: `ABC0000${digit}` }) })
    expect(own.get().loggedAccounts.map((one) => one.accountId.at(-1))).toEqual(['2', '6', '5', '4', '3'])
  })

  test('values that cannot be read count as absent', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const broken = {
      token: '{',
      user: '{"user":"ada"}',
      account: '""',
      region: '7',
      menuCollapseType: '"Wide"',
    }
    for (const [name, text] of Object.entries(broken)) window.localStorage.setItem(`boathouse.${name}`, text)
    window.localStorage.setItem('boathouse.loggedAccounts', '[{"accountId":"ABC12345"},7,null]')
    expect(createSession(window.localStorage).get()).toMatchObject({
      token: null,
      user: null,
      account: null,
      region: null,
      loggedAccounts: [],
      menuCollapseType: null,
    })
  })

  test('works for as long as the page lives when the browser refuses storage', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const own = createSession({ getItem: refuse, setItem: refuse, removeItem: refuse })
    own.start({ token: 'secret', info: adaLovelace() })
    expect(own.get().token).toBe('secret')
    expect(JSON.stringify(warn.mock.calls)).not.toContain('secret')
    expect(warn).toHaveBeenCalled()
  })
})

describe('listeners of changes', () => {
  test('components show the session of the moment', () => {
    const { result } = renderHook(() => useSession())
    expect(result.current.token).toBeNull()
    act(() => session.start({ token: 'secret', info: adaLovelace() }))
    expect(result.current.user?.user).toBe('ada')
    act(() => session.setUser(adaLovelace({ activeRoles: ['public'] })))
    expect(result.current.user?.activeRoles).toEqual(['public'])
    expect(result.current.token).toBe('secret')
  })

  test('a sign-out in another window of the browser is one here too', () => {
    session.start({ token: 'secret', info: adaLovelace() })
    const listener = vi.fn<() => void>()
    const stop = session.subscribe(listener)
    window.localStorage.removeItem('boathouse.token')
    window.dispatchEvent(new StorageEvent('storage', { key: 'boathouse.token' }))
    expect(session.get().token).toBeNull()
    window.dispatchEvent(new StorageEvent('storage', { key: 'somebody-else' }))
    expect(listener).toHaveBeenCalledTimes(1)
    stop()
    session.end()
    expect(listener).toHaveBeenCalledTimes(1)
  })

  const write = (name: string, value: unknown) => {
    const key = `boathouse.${name}`
    if (value === null) window.localStorage.removeItem(key)
    else window.localStorage.setItem(key, JSON.stringify(value))
    window.dispatchEvent(new StorageEvent('storage', { key }))
  }

  test('a login that is over is so in every window, and each keeps its user until somebody signs in', () => {
    session.start({ token: 'secret', info: adaLovelace() })
    write('token', null)
    expect(session.get()).toMatchObject({ token: null, user: { user: 'ada' } })
    write('user', adaLovelace({ user: 'grace' }))
    expect(session.get().user?.user).toBe('ada')
    write('token', 'another')
    expect(session.get()).toMatchObject({ token: 'another', user: { user: 'grace' } })
  })

  test('a window that is opened after that waits for nobody', () => {
    const own = createSession(window.localStorage)
    own.start({ token: 'secret', info: adaLovelace() })
    own.lapse()
    expect(own.get()).toMatchObject({ token: null, user: { user: 'ada' } })
    const opened = createSession(window.localStorage)
    expect(opened.get().user).toBeNull()
    opened.reload()
    expect(opened.get().user).toBeNull()
  })
})
