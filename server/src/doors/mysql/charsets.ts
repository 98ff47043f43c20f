import type { Charset } from './link/messages.ts'

/** Numbers of collations of character sets other than Unicode, which all others are taken for. */
const COLLATIONS: Readonly<Record<Exclude<Charset, 'utf8mb4'>, readonly number[]>> = {
  latin1: [5, 8, 15, 31, 47, 48, 49, 94],
  ascii: [11, 65],
  binary: [63],
}

const NAMES: readonly Charset[] = ['latin1', 'ascii', 'binary']

/** What a client speaks, by the number of its collation. */
export const charsetOfCollation = (collation: number): Charset =>
  NAMES.find((name) => name !== 'utf8mb4' && COLLATIONS[name].includes(collation)) ?? 'utf8mb4'

/** By the value of a variable such as `character_set_client`. Without a conversion, texts are as they are. */
export const charsetOfVariable = (value: string | undefined): Charset =>
  value === '' ? 'binary' : (NAMES.find((name) => name === value) ?? 'utf8mb4')
