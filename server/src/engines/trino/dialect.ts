import { quoteString } from '@boathouse/sql'
import type { Dialect } from '../engine/dialect.ts'
import { literalOf } from './render.ts'

export const TRINO_DIALECT: Dialect = {
  setTimeZone: (zone) => `SET TIME ZONE ${quoteString(zone)}`,
  settings: new Set(),
  valueAndType: { before: 'SELECT CAST(v AS VARCHAR), typeof(v) FROM (', after: ') t(v)' },
  valueOf: (variable) => `SELECT ${literalOf(variable)}`,
  useCollation: (name) => `SELECT 'a' COLLATE ${quoteString(name)}`,
  sampleData: null,
}
