import { expect, test } from 'vitest'
import { guardPlace, startPath } from './guards.ts'
import { ADA } from './testing/render-app.tsx'

const here = { region: 'local-1', aid: 'ABC12345' }
const login = { token: 't', user: ADA, account: 'ABC12345', region: 'local-1' }

test('the start leads home when token, region and account are stored [SHELL-02]', () => {
  expect(startPath(login)).toBe('/local-1/ABC12345/home')
})

test.each(['token', 'region', 'account'])('the start leads to sign-in without %s [SHELL-03]', (name) => {
  expect(startPath({ ...login, [name]: null })).toBe('/login')
})

test('a page of the account signed in to is shown', () => {
  expect(guardPlace(login, here, '/local-1/ABC12345/home')).toBeNull()
})

test('without a login, a page leads to sign-in and knows where to return [SHELL-33]', () => {
  const href = '/local-1/ABC12345/editor?activeTab=1'
  expect(guardPlace({ ...login, user: null }, here, href)).toBe(
    `/login?step=signin&aid=ABC12345&region=local-1&next=${encodeURIComponent(href)}`,
  )
})

test('a page of another account leads to sign-in for that account [SHELL-34]', () => {
  const place = { region: 'local-1', aid: 'XYZ00001' }
  const instead = guardPlace(login, place, '/local-1/XYZ00001/home') ?? ''
  const search = new URL(instead, 'http://x').searchParams
  expect(instead.startsWith('/login?')).toBe(true)
  expect(search.get('step')).toBe('signin')
  expect(search.get('aid')).toBe('XYZ00001')
})

test('another region in the address is corrected [SHELL-35]', () => {
  const place = { ...here, region: 'mars-1' }
  expect(guardPlace(login, place, '/mars-1/ABC12345/editor?tabName=x')).toBe(
    '/local-1/ABC12345/editor?tabName=x',
  )
})
