import { defineCall } from '@boathouse/contract/call'
import { sso } from '@boathouse/contract/sso'
import { passwordCalls } from '@boathouse/contract/user-passwords'
import { renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { adaLovelace } from '../testing/people.ts'
import { session } from './session.ts'
import { forgetChanges, recordChange, SECRET, useRecentChanges, withoutSecrets } from './recent-changes.ts'

beforeEach(forgetChanges)

const recent = () => renderHook(useRecentChanges).result.current

test('a secret is not kept, at any depth', () => {
  recordChange(sso.saveSettings, {
    issuer: 'https://issuer',
    clientId: 'x',
    clientSecret: 'hidden',
    enabled: true,
  })
  expect(recent()[0]?.input).toEqual({
    issuer: 'https://issuer',
    clientId: 'x',
    clientSecret: SECRET,
    enabled: true,
  })
  expect(withoutSecrets({ users: [{ newPassword: 'x', password: null }] })).toEqual({
    users: [{ newPassword: SECRET, password: null }],
  })
})

test('automatic calls of the console, and those that need no login, are not listed; the newest fifty are', () => {
  const make = (silent: boolean) =>
    defineCall({
      path: '/thing/change',
      summary: 'Change it',
      needs: 'login',
      silent,
      input: z.object({}),
      output: z.object({}),
    })
  recordChange(make(true), {})
  recordChange(sso.begin, { accountId: 'ABC12345' })
  expect(recent()).toEqual([])
  for (let count = 1; count <= 60; count++) recordChange(make(false), { count })
  expect(recent()).toHaveLength(50)
  expect(recent()[0]).toMatchObject({
    input: { count: 60 },
    address: '/api/thing/change',
    summary: 'Change it',
  })
})

test('a changed password is listed without it', () => {
  recordChange(passwordCalls.changePassword, { username: 'ada', currentPassword: 'old', password: 'new' })
  expect(JSON.stringify(recent())).not.toMatch(/old|"new"/)
})

test('what was changed is there again when the page is loaded again, for the same person alone', async () => {
  session.start({ token: 'token', info: adaLovelace() })
  recordChange(sso.saveSettings, { clientSecret: 'hidden' })
  const [kept] = recent()
  const loadAgain = async () => {
    vi.resetModules()
    const { session: again } = await import('./session.ts')
    expect(again.get().token).toBe('token')
    const { useRecentChanges: useAgain } = await import('./recent-changes.ts')
    return renderHook(useAgain).result.current
  }
  expect(await loadAgain()).toEqual([kept])
  expect(window.sessionStorage.getItem('boathouse.changes')).not.toContain('hidden')
  session.setUser(adaLovelace({ user: 'grace' }))
  expect(recent()).toEqual([])
  expect(await loadAgain()).toEqual([])
})
