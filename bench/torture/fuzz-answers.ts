import { CHANNEL_CLOSE, CODES, codeName, QUERY_STATES, type QueryRsp } from '@boathouse/contract'
import type { Closed } from './raw-channel.ts'

/** Codes that say that something broke, where only the text was bad. */
const BREAKAGES: readonly number[] = [CODES.Internal.code, CODES.Interrupted.code, CODES.Unavailable.code]

/**
 * An engine that does not obey, or takes too much memory while DuckDB reads a text, is ended; its other users get an
 * error. That is not the effect of the text alone.
 */
export const isAfterEnd = (words: string): boolean =>
  words.includes('that was to end did not stop') ||
  words.includes('it had no memory left') ||
  words.startsWith('The engine or the connection of this session ended since your last statement')

/** Why an answer to a bad text is not a clear one; null when it is. */
export function faultOfAnswer(answer: QueryRsp, sql: string): string | null {
  if (answer.queryState === QUERY_STATES.Finished) return null
  const name = codeName(answer.errCode)
  if (!name) return `an unknown code ${answer.errCode}`
  if (isAfterEnd(answer.errMsg)) return null
  if (BREAKAGES.includes(answer.errCode)) return `${name}: ${answer.errMsg}`
  if (answer.errMsg.trim() === '') return `${name} without a word`
  const offset = answer.errPosition?.offset ?? 0
  if (offset < 0 || offset > sql.length) return `an error at ${offset} of a text of ${sql.length}`
  return null
}

/** RFC 6455: not understood as a frame, not UTF-8, too large; ws answers these before we see a message. */
const PROTOCOL_CLOSES: readonly number[] = [1002, 1007, 1009]

export function faultOfClose({ code, reason }: Closed): string | null {
  if (PROTOCOL_CLOSES.includes(code)) return null
  if (code !== CHANNEL_CLOSE.BadMessage) return `closed with ${code} ${reason}`
  return reason === '' ? 'closed without a reason' : null
}
