import { SQLDialect } from '@codemirror/lang-sql'
import { KEYWORDS } from '../../../statement/keywords.ts'

/** Of every engine: a type that the engine of a warehouse has not is coloured, and fails when it runs. */
const TYPES = `
  array bigint binary bit blob bool boolean bytea char date datetime decimal double float float4 float8 hugeint int
  int1 int2 int4 int8 integer json list map numeric real smallint string struct text time timestamp timestamptz
  tinyint ubigint uhugeint uinteger union usmallint utinyint uuid varchar`

const collapse = (words: string): string => words.trim().replaceAll(/\s+/g, ' ')

export const sqlDialect = SQLDialect.define({
  keywords: collapse(KEYWORDS),
  types: collapse(TYPES),
  builtin: '',
  doubleDollarQuotedStrings: true,
  caseInsensitiveIdentifiers: true,
  operatorChars: '+-*/<>=~!@#%^&|`?:',
  specialVar: '',
})
