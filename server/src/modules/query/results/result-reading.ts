import { EngineUnavailable } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { diskFull, isDiskFull } from '../../../kernel/disk-full.ts'
import type { Log } from '../../../kernel/log.ts'
import { type ResultReader, ResultRefused } from '../../../results/reader.ts'
import type { ResultRoom } from '../../../results/room.ts'

const damaged = (cause: ResultRefused) =>
  new AppError(
    'ResultExpired',
    'The rows of this query were kept, but their file is damaged and cannot be read. Run it again to see them.',
    { cause },
  )

/** Reads kept results, and puts what goes wrong into words for the user. */
export function createResultReading({
  room,
  log,
}: {
  readonly room: Pick<ResultRoom, 'reading'>
  readonly log: Log
}) {
  /** Why a result cannot be read although it is there, such as a full disk, is the user's answer. */
  return async function reading<T>(
    { accountId }: Actor,
    queryId: string,
    work: (reader: ResultReader) => Promise<T>,
  ): Promise<T> {
    try {
      return await room.reading({ accountId, queryId }, work)
    } catch (error) {
      if (error instanceof EngineUnavailable)
        throw new AppError('Unavailable', error.message, { cause: error })
      if (isDiskFull(error)) throw diskFull(error)
      if (!(error instanceof ResultRefused)) throw error
      if (error.error.kind === 'resource')
        throw new AppError('QuotaExceeded', error.message, { cause: error })
      log.warn({ accountId, reason: error.message }, 'a kept result cannot be read')
      throw damaged(error)
    }
  }
}
