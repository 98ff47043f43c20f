/**
 * Pieces of SQL text that stand for chance without being random: the same key always gives the same value, on
 * every machine and with any number of threads. `about` keeps the columns of one row independent of each other.
 */

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * The cast makes a key hash alike wherever it comes from, whatever width it has there. The outer hash is needed:
 * DuckDB joins the hashes of two arguments by exclusive or, so that two columns of one row would share their bits.
 */
const hashed = (key: string, about: string): string => `hash(hash((${key})::BIGINT, ${literal(about)}))`

/** A whole number from 0 to `count` - 1. */
export const draw = (key: string, about: string, count: number): string =>
  `(${hashed(key, about)} % ${count})::INTEGER`

export interface Span {
  readonly low: number
  readonly high: number
}

/** A whole number in the span, both ends included. */
export const drawIn = (key: string, about: string, { low, high }: Span): string =>
  `(${low} + ${draw(key, about, high - low + 1)})`

/** Decimal digits behind the point come from whole cents, so no value ever passes through a float. */
export const drawCents = (key: string, about: string, cents: Span): string =>
  `(${drawIn(key, about, cents)} * 0.01)`

/** The word at a 0-based place. */
export const wordAt = (words: readonly string[], place: string): string =>
  `[${words.map(literal).join(', ')}][1 + ${place}]`

export const drawWord = (key: string, about: string, words: readonly string[]): string =>
  wordAt(words, draw(key, about, words.length))

/** One word of each list; every list has sixteen, so one hash is enough for sixteen words. */
export const drawSentence = (key: string, about: string, lists: readonly (readonly string[])[]): string =>
  lists
    .map((words, index) => wordAt(words, `(${hashed(key, about)} >> ${index * 4} & 15)::INTEGER`))
    .join(` || ' ' || `)

/** As in `Customer#000000042`. */
export const numbered = (prefix: string, key: string): string =>
  `${literal(`${prefix}#`)} || lpad(${key}::VARCHAR, 9, '0')`

/** As in `17-204-998-0123`; the first number is the nation's key plus 10. */
export const phone = (key: string, about: string, nation: string): string =>
  `format('{}-{}-{}-{:04d}', ${nation} + 10, ${[
    drawIn(key, `${about} area`, { low: 100, high: 999 }),
    drawIn(key, `${about} exchange`, { low: 100, high: 999 }),
    draw(key, `${about} line`, 10_000),
  ].join(', ')})`
