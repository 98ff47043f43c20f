import { setTimeout as pass } from 'node:timers/promises'
import { IDENTITY_MESSAGES } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'

/**
 * The time of an answer would reveal whether a port is open, closed or filtered: every failure is answered after this
 * time.
 */
export const ISSUER_FAILS_AFTER_MS = 5_000

/**
 * Asks an issuer. All failures are one sentence after one time; what an issuer says in detail is for the log: it may be
 * anything.
 */
export function createAsking({ log, failsAfterMs }: { log: Log; failsAfterMs: number }) {
  return async function ask<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const over = failsAfterMs === 0 ? null : pass(failsAfterMs, null, { ref: false })
    const late = over?.then((): never => {
      throw new Error('It did not answer in time.')
    })
    try {
      return await (late ? Promise.race([work(), late]) : work())
    } catch (error) {
      await over
      log.warn({ err: error, accountId }, 'an issuer of single sign-on did not answer as it should')
      throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoFailed, { cause: error })
    } finally {
      // Of a question that was answered nobody waits for the end of its time.
      late?.catch(() => undefined)
    }
  }
}

export type Ask = ReturnType<typeof createAsking>
