import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'

export const log = {
  /** The message names errUrl, requestBody (secrets and statements masked) and accountId. */
  report: defineCall({
    path: '/log/report',
    summary: 'Report an error that a user saw',
    needs: 'nothing',
    silent: true,
    input: z.object({ message: z.string().check(z.minLength(1), z.maxLength(LIMITS.errorReportLength)) }),
    output: z.object({}),
    fails: ['TooManyAttempts'],
  }),
}

/** `code` only as a whole name: mailed codes are secrets, error codes are not. */
const SECRET_FIELDS = /password|passwd|secret|token|credential|(access|private)_?key|^code$/i
/** What people write and ask for is theirs; `queryId` and the like are not texts. */
const STATEMENT_FIELDS = /sql|^(statement|query|text)s?$/i

export const isSecretField = (name: string): boolean => SECRET_FIELDS.test(name)

export function errorReport(report: {
  errUrl: string
  requestBody: unknown
  accountId: string
  message: string
}): string {
  const masked = JSON.stringify(report.requestBody ?? null, (key, value: unknown) =>
    isSecretField(key) || STATEMENT_FIELDS.test(key) ? '***' : value,
  )
  const text = `errUrl=${report.errUrl} accountId=${report.accountId} message=${report.message} requestBody=${masked}`
  return text.slice(0, LIMITS.errorReportLength)
}
