import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import { GatheredAcceptances } from './gathered-acceptances.ts'
import { createLongTextStore, isLong } from './history/long-texts-store.ts'
import { isForJournal, type StatementJournal } from './statement-journal.ts'
import { requestRows } from './request-rows-store.ts'
import type { Acceptance, NewStatement } from './statement-row.ts'
import { acceptInsert, type StatementWrites } from './statement-writes-store.ts'

const UNIQUE_VIOLATION = '23505'

/** Whether the request is there under these ids; null when it is not there at all. */
async function isWrittenAs(db: Kysely<Schema>, rows: readonly NewStatement[]): Promise<boolean | null> {
  const [first] = rows
  const [written] = first ? await requestRows(db, first.account_id, first.request_id) : []
  return written ? written.query_id === first?.query_id : null
}

/** Requests, written before anything of them runs. */
export function createAcceptanceStore(
  db: Kysely<Schema>,
  writes: Pick<StatementWrites, 'acceptOne' | 'acceptSeveral'>,
  journal: Pick<StatementJournal, 'accept'>,
) {
  const longTexts = createLongTextStore(db)

  const gathered = new GatheredAcceptances(writes)

  async function insertRows(rows: readonly NewStatement[]): Promise<Acceptance> {
    const [first] = rows
    const isShort = !rows.some((row) => isLong(row.sql))
    if (first && rows.length === 1 && isShort)
      return isForJournal(first) ? journal.accept(first) : gathered.accept(first)
    const inserted =
      first && !isShort
        ? await longTexts.within({ accountId: first.account_id, userId: first.user_id }, (trx) =>
            acceptInsert(trx, rows).execute(),
          )
        : await acceptInsert(db, rows).execute()
    return { identityVersion: inserted[0]?.identity_version ?? undefined }
  }

  /** Null when it is there already. */
  async function insertNew(rows: readonly NewStatement[]): Promise<Acceptance | null> {
    try {
      return await insertRows(rows)
    } catch (error) {
      if (errorCode(error) === UNIQUE_VIOLATION) return null
      throw error
    }
  }

  return {
    /** All or none. Null when the request was written before: the unique index decides. */
    async accept(rows: readonly NewStatement[]): Promise<Acceptance | null> {
      try {
        return await insertNew(rows)
      } catch (error) {
        if (error instanceof AppError) throw error
        // The connection to the database may have broken before it was written, or after: then only this server runs it.
        const isWritten = await isWrittenAs(db, rows)
        if (isWritten === null) return insertNew(rows)
        return isWritten ? { identityVersion: undefined } : null
      }
    },

    findRequest: (accountId: string, requestId: string) => requestRows(db, accountId, requestId),
  }
}
