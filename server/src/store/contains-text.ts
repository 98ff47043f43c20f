import { type RawBuilder, sql } from 'kysely'

/** A pattern for LIKE in which nothing stands for something else. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, (found) => `\\${found}`)

const ASCII = /^[ -~]*$/

/** A letter beyond ASCII in both its cases: the database may know of none. */
function inBothCases(letter: string): string {
  const cases = [letter, letter.toLowerCase(), letter.toUpperCase()]
  return `[${cases.filter((one) => one.length === letter.length).join('')}]`
}

/** A regular expression in which nothing else stands for something. */
const expression = (text: string): string =>
  Array.from(text, (letter) =>
    ASCII.test(letter) ? letter.replace(/[^A-Za-z0-9 ]/, String.raw`\$&`) : inBothCases(letter),
  ).join('')

/** Letter case ignored. By bytes, whatever letters the database knows: it looks through thousands of texts. */
export const containsText = (value: RawBuilder<unknown>, text: string): RawBuilder<boolean> =>
  ASCII.test(text)
    ? sql`${value} collate "C" ilike ${`%${literal(text)}%`}`
    : sql`${value} collate "C" ~* ${expression(text)}`
