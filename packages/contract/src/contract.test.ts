import { expect, test } from 'vitest'
import { z } from 'zod'
import { DEFAULT_TIMEOUT_MS, defineCall } from './call.ts'
import { allCalls, contract } from './contract.ts'
import { Envelope } from './envelope.ts'

test('a call is a POST of 60 s whose failure is always shown, unless it says otherwise [API-03, API-05]', () => {
  const call = defineCall({
    path: '/a/b',
    summary: 'A call',
    needs: 'login',
    input: z.object({}),
    output: z.object({}),
  })
  expect(call).toMatchObject({
    method: 'POST',
    timeoutMs: 60_000,
    silent: false,
    render: false,
    toCentral: false,
    whileFrozen: false,
  })
  expect(DEFAULT_TIMEOUT_MS).toBe(60_000)
  expect(defineCall({ ...call, method: 'GET', timeoutMs: 5_000 })).toMatchObject({
    method: 'GET',
    timeoutMs: 5_000,
  })
})

test('every call has a path of its own, below the name of its module', () => {
  const paths = allCalls().map((call) => call.path)
  expect(new Set(paths).size).toBe(paths.length)
  for (const [module, calls] of Object.entries(contract))
    for (const call of Object.values(calls))
      expect(call.path).toMatch(new RegExp(`^/${module}/[a-z][a-z-]*$`))
})

test('a call by GET has no body, so it takes no input', () => {
  const gets = allCalls().filter((call) => call.method === 'GET')
  expect(gets.map((call) => [call.path, z.toJSONSchema(call.input).properties])).toEqual(
    gets.map((call) => [call.path, {}]),
  )
})

test.each([
  [{ code: 20000, message: '', data: { a: 1 } }, true],
  [{ code: 40001, message: 'Sign in first.', data: null }, true],
  [{ code: '20000', message: '', data: null }, false],
  [{ code: 20000.5, message: '', data: null }, false],
  [{ code: 20000, data: null }, false],
  [null, false],
])('the envelope is code, message and data: %j %s [API-12]', (body, isOne) => {
  expect(Envelope.safeParse(body).success).toBe(isOne)
})
