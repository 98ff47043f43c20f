import { CODES, QUERY_STATES, codeName, type QueryRsp } from '@boathouse/contract'

/**
 * What an answer says about the effect of its statement:
 * taken, not taken: for certain;
 * open: the service cannot tell yet, so it is asked again under the same id;
 * refused: the request was not taken on at all, so it is sent again under the same id;
 * reads: a statement that has no effect to speak of.
 */
export type Verdict = 'taken' | 'not taken' | 'open' | 'refused' | 'reads'

/** The sentences with which the service speaks of a statement that was cut off. */
const CUT_OFF: readonly (readonly [RegExp, Verdict])[] = [
  [/It took effect completely\.$/, 'taken'],
  [/It did not take effect, so you can run it again\.$/, 'not taken'],
  [/nothing of it took effect/, 'not taken'],
  [/Whether it took effect is not known yet\./, 'open'],
  [/Check whether it took effect before you run it again\.$/, 'open'],
  [/cannot say yet/, 'open'],
  [/It only reads, so you can run it again\.$/, 'reads'],
]

export function verdictOf(answer: QueryRsp): Verdict {
  if (answer.queryState === QUERY_STATES.Finished) return 'taken'
  // Something that nobody foresaw: the answer itself says no more than that.
  if (answer.errCode === CODES.Internal.code) return 'open'
  if (answer.queryId === '') return 'refused'
  if (answer.errCode !== CODES.Interrupted.code) return 'not taken'
  return CUT_OFF.find(([words]) => words.test(answer.errMsg))?.[1] ?? 'open'
}

/** What an error says to a program: one that was not cut off has had no effect. */
export const verdictOfError = (message: string): Verdict =>
  CUT_OFF.find(([words]) => words.test(message))?.[1] ?? 'not taken'

/** For counting answers of a kind. */
export function outcomeName(answer: QueryRsp): string {
  if (answer.queryState === QUERY_STATES.Finished) return 'finished'
  const code = codeName(answer.errCode) ?? String(answer.errCode)
  return answer.errCode === CODES.Interrupted.code ? `${code}: ${verdictOf(answer)}` : code
}
