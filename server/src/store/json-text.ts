/** Every escape, so that a backslash that is itself escaped does not begin another; of them, those refused. */
const ESCAPES = /\\(?:(u(?:d[89a-f][0-9a-f]{2}|0000))|.)/g

/**
 * Any value as text for a column of type jsonb. Half a character and U+0000, which `JSON.stringify` escapes and
 * PostgreSQL refuses to store, become U+FFFD, as half a character does in a column of text.
 */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(ESCAPES, (escape, refused?: string) => (refused ? '\uFFFD' : escape))
