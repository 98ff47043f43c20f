import type { CallError, FailureName } from '@boathouse/client/call-error'
import type { Call } from '@boathouse/contract/call'
import { CODES } from '@boathouse/contract/codes'
import { MESSAGES } from '@boathouse/contract/rules'

export interface Toast {
  readonly message: string
  readonly durationMs: number
}

export interface ToastContext {
  readonly onLoginPage: boolean
  /** Ignoring is configured, by the caller. */
  readonly silent?: boolean | undefined
  readonly ignoreConnectionLimit?: boolean | undefined
  readonly fillsPage?: boolean | undefined
}

/** The IP-blocked page shows the first; users know the second, because they stopped it. */
const SHOWN_ELSEWHERE: readonly FailureName[] = ['IpBlocked', 'Cancelled']

const ERROR_MS = 3_000
const LONG_MS = 5_000

/** Whether and how a failed call is shown as a toast; null if something else shows it, or nothing should. */
export function toastFor(error: CallError, call: Call, context: ToastContext): Toast | null {
  if (call.silent || context.silent || SHOWN_ELSEWHERE.includes(error.codeName)) return null
  if (error.codeName === 'LoginRequired') return context.onLoginPage ? toast(error, LONG_MS) : null
  if (call.render || context.fillsPage || (context.ignoreConnectionLimit && isConnectionLimit(error)))
    return null
  return toast(error, error.code === 0 ? LONG_MS : ERROR_MS)
}

const toast = (error: CallError, durationMs: number): Toast => ({
  message: error.message.trim() || MESSAGES.error,
  durationMs,
})

/** By code or by text: an engine in front of us may say the same under a number of its own. */
const isConnectionLimit = (error: CallError): boolean =>
  error.code === CODES.ConnectionLimit.code || error.message.includes(MESSAGES.connectionLimit)
