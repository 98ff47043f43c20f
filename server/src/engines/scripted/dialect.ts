import { quoteString } from '@boathouse/sql'
import type { Dialect } from '../engine/dialect.ts'

/** Words of its own on purpose: nothing in the service may count on those of another engine. */
export const SCRIPTED_DIALECT: Dialect = {
  setTimeZone: (zone) => `ZONE ${quoteString(zone)}`,
  settings: new Set(),
  valueAndType: { before: '', after: '' },
  valueOf: ({ text }) => `SELECT ${text === null ? 'NULL' : quoteString(text)}`,
  useCollation: (name) => `SELECT ${quoteString(name)}`,
  sampleData: null,
}
