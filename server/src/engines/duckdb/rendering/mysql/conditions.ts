import type { Source } from './source.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Behind these a condition may begin. AND is not here: it may be that of BETWEEN. */
const OPENS = words('SELECT DISTINCT ( , OR || && XOR NOT ! WHERE HAVING ON WHEN THEN ELSE')
/** Before these it ends. */
const CLOSES = words(') , ; OR || && XOR AND FROM WHEN THEN ELSE END AS WHERE GROUP ORDER LIMIT HAVING UNION')
/** What stands before or behind one of these is a condition, and no mere value. */
const TAKES_BEHIND = words('OR || && XOR NOT ! WHERE HAVING ON')
const TAKES_BEFORE = words('OR || && XOR AND')

export const opensCondition = (source: Source, first: number): boolean => OPENS.has(source.word(first - 1))

export const closesCondition = (source: Source, last: number): boolean =>
  last + 1 >= source.until || CLOSES.has(source.word(last + 1))

/** One token is a whole condition. */
export const isCondition = (source: Source, at: number): boolean =>
  opensCondition(source, at) &&
  closesCondition(source, at) &&
  (TAKES_BEHIND.has(source.word(at - 1)) || TAKES_BEFORE.has(source.word(at + 1)))

export const nextTo = (source: Source, at: number, word: string): boolean =>
  source.word(at - 1) === word || source.word(at + 1) === word
