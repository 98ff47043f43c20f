import { types, type CustomTypesConfig } from 'pg'

type Parser = (text: string) => unknown

/** int8 as an exact number, date and numeric as text, timestamptz as Date: no value changes on its way. */
const ownParsers = new Map<number, Parser>([
  [types.builtins.INT8, safeInteger],
  // pg would make it a moment in the time zone of this process.
  [types.builtins.DATE, (text) => text],
])

export const valueParsers: CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary'): Parser =>
    (format !== 'binary' && ownParsers.get(id)) ||
    types.getTypeParser(id, format)) as typeof types.getTypeParser,
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new RangeError(`${text} exceeds 2^53 and would lose digits. Select it as text.`)
}
