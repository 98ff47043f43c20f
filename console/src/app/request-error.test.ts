import { account as accountCalls } from '@boathouse/contract/account'
import { expect, test } from 'vitest'
import { CallError } from '../lib/api.ts'
import { belongsToPage, requestErrorKind } from './request-error.ts'

test.each([
  ['read timeout', '/api/account/details', 'timeout'],
  ['request timed out', '/api/account/details', 'timeout'],
  ['Timeout of the engine', '/api/schema/catalogs', 'timeout'],
])('"%s" of %s is reported as a timeout', (message, url, kind) => {
  expect(requestErrorKind(message, url)).toBe(kind)
})

test('an address with catalogs in it is put in words of the engine', () => {
  expect(requestErrorKind('refused', '/api/schema/catalogs')).toBe('engine')
  expect(requestErrorKind('refused', '/api/account/details')).toBe('other')
})

test('an error older than the page is not shown on it', () => {
  const call = accountCalls.details
  const failed = { at: 1_000, error: new CallError({ codeName: 'Internal', code: 50000, message: '', call }) }
  expect(belongsToPage(failed, 999)).toBe(true)
  expect(belongsToPage(failed, 1_000)).toBe(true)
  expect(belongsToPage(failed, 1_001)).toBe(false)
  expect(belongsToPage(null, 0)).toBe(false)
})
