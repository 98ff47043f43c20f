import { defineCall } from '@boathouse/contract/call'
import { sso } from '@boathouse/contract/sso'
import { passwordCalls } from '@boathouse/contract/user-passwords'
import { renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod/mini'
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
