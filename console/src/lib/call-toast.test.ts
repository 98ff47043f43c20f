import { CallError, type FailureName } from '@boathouse/client/call-error'
import { type Call, defineCall } from '@boathouse/contract/call'
import { type CodeName, CODES } from '@boathouse/contract/codes'
import { editor as editorCalls } from '@boathouse/contract/editor'
import { user as userCalls } from '@boathouse/contract/user'
import { describe, expect, test } from 'vitest'
import { toastFor } from './call-toast.ts'

const plain = editorCalls.createTab
const onPage = { onLoginPage: false }
const failed = (codeName: FailureName, message = 'Something went wrong.'): CallError =>
  new CallError({ codeName, code: CODES[codeName as CodeName]?.code ?? 0, message, call: plain })

describe('toasts of failed calls', () => {
  test('40001 on the login page: the message for 5 s [API-18]', () => {
    expect(toastFor(failed('LoginRequired', 'Sign in first.'), plain, { onLoginPage: true })).toEqual({
      message: 'Sign in first.',
      durationMs: 5_000,
    })
  })

  test.each([
    { codeName: 'LoginRequired', why: 'elsewhere it leads to sign-in' },
    { codeName: 'IpBlocked', why: 'its page says it' },
    { codeName: 'Cancelled', why: 'the user who stopped it knows' },
  ] as const)('$codeName: none, $why', ({ codeName }) => {
    expect(toastFor(failed(codeName), plain, onPage)).toBeNull()
  })

  const ordinary = (Object.keys(CODES) as CodeName[]).filter(
    (name) => !['Ok', 'LoginRequired', 'IpBlocked', 'Cancelled'].includes(name),
  )
  test.each([...ordinary, 'UnknownCode'] as const)('%s: the message for 3 s [API-22, API-23]', (codeName) => {
    const error =
      codeName === 'UnknownCode'
        ? new CallError({ codeName, code: 49999, message: 'Something went wrong.', call: plain })
        : failed(codeName)
    expect(toastFor(error, plain, onPage)).toEqual({ message: 'Something went wrong.', durationMs: 3_000 })
  })

  test('a code above 50003 is shown like any other [API-23, API-30]', () => {
    const error = new CallError({ codeName: 'UnknownCode', code: 50004, message: 'New.', call: plain })
    expect(toastFor(error, plain, onPage)).toEqual({ message: 'New.', durationMs: 3_000 })
  })

  test.each(['', '  '])("says 'Error' if there is no message [API-24]", (message) => {
    expect(toastFor(failed('Internal', message), plain, onPage)?.message).toBe('Error')
  })

  test('none when the call fills a page [API-25]', () => {
    expect(toastFor(failed('Internal'), userCalls.info, onPage)).toBeNull()
  })

  test('none when the caller ignores errors [API-25]', () => {
    expect(toastFor(failed('Internal'), plain, { ...onPage, silent: true })).toBeNull()
  })

  test.each(['Internal', 'NetworkError', 'TimedOut', 'LoginRequired'] as const)(
    'a call flagged silent suppresses the toast for %s [API-13, API-31]',
    (codeName) => {
      const silent: Call = defineCall({ ...plain, silent: true })
      expect(toastFor(failed(codeName), silent, { onLoginPage: true })).toBeNull()
    },
  )

  test.each(['NetworkError', 'TimedOut', 'BadAnswer'] as const)(
    '%s: 5 s, unless the call fills a page [API-31, API-32]',
    (codeName) => {
      expect(toastFor(failed(codeName), plain, onPage)?.durationMs).toBe(5_000)
      expect(toastFor(failed(codeName), userCalls.info, onPage)).toBeNull()
    },
  )

  test("'Reach limit of connections' is silenced by its flag, and nothing else is [API-27]", () => {
    const ignoring = { ...onPage, ignoreConnectionLimit: true }
    const limit = failed('ConnectionLimit', 'Reach limit of connections')
    expect(toastFor(limit, plain, onPage)?.message).toBe('Reach limit of connections')
    expect(toastFor(limit, plain, ignoring)).toBeNull()
    expect(toastFor(failed('QueryFailed', 'Reach limit of connections: 500'), plain, ignoring)).toBeNull()
    expect(toastFor(failed('LimitReached'), plain, ignoring)).not.toBeNull()
  })
})
