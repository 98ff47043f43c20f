import { log } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { implement } from '../../kernel/implement.ts'
import type { Schema } from '../../store/schema.ts'
import { createAttempts } from '../../kernel/attempts.ts'

/** API-33: errors that users saw, kept for the operator. Anyone may report, so reports are braked by address. */
export function logCalls({ db, clock }: { db: Kysely<Schema>; clock: Clock }) {
  const reports = createAttempts({ clock, max: 60, windowMs: 60_000 })
  return implement(log, {
    report: async (from, { message }) => {
      if (reports.isExceeded(from.clientIp))
        throw new AppError('TooManyAttempts', 'Too many error reports. Wait a minute, then try again.')
      reports.add(from.clientIp)
      await db.insertInto('client_errors').values({ message, created_at: clock.now() }).execute()
      return {}
    },
  })
}
