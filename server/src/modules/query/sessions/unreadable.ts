import { placeOfUnread, type Statement } from '@boathouse/sql'
import { AppError } from '../../../kernel/app-error.ts'
import { DidNotFinish, failed, withError } from '../running/ending.ts'

/** Every module says it in these words, and how the statement is written behind them. */
const WORDS = 'This form of the statement is not supported.'
/** Of what is not understood, as much as is worth repeating. */
const LONGEST_WORD = 40

export const unreadable = (form?: string): AppError =>
  new AppError('QueryFailed', form ? `${WORDS} Write ${form}.` : WORDS, { detail: 'unreadable' })

/** What was read of a statement, or a refusal that says how such a one is written. */
export const readableIn =
  <F extends string>(forms: Readonly<Record<F, string>>) =>
  <T>(statement: T | null, form: F): T => {
    if (statement === null) throw unreadable(forms[form])
    return statement
  }

/** The same with the place from which on the statement is something else; any other error as it is. */
export function withPlace(error: unknown, statement: Statement): unknown {
  if (!(error instanceof AppError) || !error.message.startsWith(WORDS)) return error
  const unread = placeOfUnread(statement)
  if (!unread) return error
  const where =
    unread.word === ''
      ? 'The statement is incomplete.'
      : `${unread.word.slice(0, LONGEST_WORD)} is not expected at this place.`
  const ending = failed(error.code, `${error.message} ${where}`, unread.offset)
  return new DidNotFinish(withError(ending, { detail: error.detail }))
}
