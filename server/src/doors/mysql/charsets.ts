import type { Charset } from './link/messages.ts'

/** Numbers of collations of character sets other than Unicode, which all others are taken for. */
const COLLATIONS: Readonly<Record<Exclude<Charset, 'utf8mb4'>, readonly number[]>> = {
  latin1: [5, 8, 15, 31, 47, 48, 49, 94],
  ascii: [11, 65],
  binary: [63],
}

const NAMES: readonly Charset[] = ['latin1', 'ascii', 'binary']

/** Up to here numbers are those of the first character sets, of which these are Unicode; then Unicode follows, with one gap. */
const LAST_OF_OTHERS = 99
const UNICODE = [33, 45, 46, 76, 83]
const GB18030 = [248, 249, 250]

/** Whether a client speaks a character set that is not converted: its bytes would be read as other characters. */
export const isOtherCharset = (collation: number): boolean =>
  GB18030.includes(collation) ||
  (collation > 0 &&
    collation <= LAST_OF_OTHERS &&
    !UNICODE.includes(collation) &&
    charsetOfCollation(collation) === 'utf8mb4')

/** What a client speaks, by the number of its collation. */
export const charsetOfCollation = (collation: number): Charset =>
  NAMES.find((name) => name !== 'utf8mb4' && COLLATIONS[name].includes(collation)) ?? 'utf8mb4'

/** By the value of a variable such as `character_set_client`. Without a conversion, texts are as they are. */
export const charsetOfVariable = (value: string | undefined): Charset =>
  value === '' ? 'binary' : (NAMES.find((name) => name === value) ?? 'utf8mb4')
