import { expect, test } from 'vitest'
import { LIMITS } from './limits.ts'
import { errorReport, log } from './log.ts'

const report = (requestBody: unknown) =>
  errorReport({ errUrl: '/api/user/login', accountId: 'ABC12345', message: 'Oops.', requestBody })

test('a report names errUrl, requestBody and accountId [API-34]', () => {
  expect(report({ a: 1 })).toBe('errUrl=/api/user/login accountId=ABC12345 message=Oops. requestBody={"a":1}')
  expect(report(undefined)).toContain('requestBody=null')
})

test.each([
  'password',
  'newPassword',
  'confirm_password',
  'PASSWORD',
  'token',
  'accessToken',
  'secret',
  'clientSecret',
  'secretKey',
  'accessKey',
  'access_key',
  'privateKey',
  'credential',
  'credentials',
  'code',
  'sql',
  'SQL',
  'sqlText',
  'statement',
  'statements',
  'query',
  'text',
])('a field named %s is masked, however deep it sits [API-35]', (name) => {
  const text = report({ list: [{ [name]: 'hush', user: 'ada' }], [name]: { inner: 'hush' } })
  expect(text).not.toContain('hush')
  expect(text).toContain('***')
  expect(text).toContain('ada')
})

test('other fields are reported unchanged [API-35]', () => {
  expect(report({ username: 'ada', codeName: 'x', tabName: 'y', queryId: 'z' })).toContain(
    '{"username":"ada","codeName":"x","tabName":"y","queryId":"z"}',
  )
})

test('a report is short enough to be taken', () => {
  const text = report({ tabName: 'x'.repeat(100_000) })
  expect(text).toHaveLength(LIMITS.errorReportLength)
  expect(log.report.input.safeParse({ message: text }).success).toBe(true)
})
