import type { ErrorDetail } from '../../kernel/error-detail.ts'
import { saysDiskFull } from '../../kernel/disk-full.ts'
import type { ErrorReport } from './errors.ts'

type Rule = readonly [types: readonly string[], words: RegExp, detail: ErrorDetail]

/** The first that fits decides. DuckDB tells most of it by its words alone. */
const RULES: readonly Rule[] = [
  [['Parser', 'Syntax'], /^syntax error at/, 'unexpected-word'],

  [['Catalog'], /\bschema "[^"]*" does not exist|^Schema with name|No catalog \+ schema/, 'missing-database'],
  [['Catalog'], /^(?:Table|View)[^\n]* does not exist/, 'missing-table'],
  [['Catalog'], /Function[^\n]* does not exist/, 'missing-function'],
  [['Catalog'], /already exists/, 'exists'],
  [['Binder'], /^No function matches/, 'missing-function'],
  [['Binder'], /^Referenced table/, 'missing-table'],
  [
    ['Binder'],
    /^Referenced (?:update )?column|does not have a column|cannot be referenced before it is defined/,
    'missing-column',
  ],
  [['Binder'], /^Ambiguous reference/, 'ambiguous-column'],
  [['Binder'], /must appear in the GROUP BY/, 'not-grouped'],
  [['Binder'], /columns but \d+ values were supplied/, 'wrong-count'],

  [['Constraint'], /^NOT NULL/, 'not-null'],
  [['Constraint'], /^CHECK/, 'check'],
  [['Constraint'], /foreign key[^]*still referenced/, 'referenced-key'],
  [['Constraint'], /foreign key/, 'foreign-key'],
  [['Constraint', 'TransactionContext'], /duplicate|primary key|unique/i, 'duplicate-key'],

  [
    ['Conversion', 'Out of Range'],
    /out of range|Overflow|^Could not cast value \S+ to DECIMAL/,
    'out-of-range',
  ],
  [['Conversion', 'Mismatch Type'], /./, 'cast'],
  [['Invalid Input'], /^Could not (?:parse|convert)/, 'cast'],
  [['Out of Range', 'Decimal'], /./, 'out-of-range'],
  [['Divide by Zero'], /./, 'division-by-zero'],
  [['Invalid Input'], /^More than one row returned by a subquery/, 'several-rows'],

  [['TransactionContext'], /conflict/i, 'conflict'],
  [['TransactionContext'], /is aborted/, 'failed-transaction'],
  [['TransactionContext'], /read-only/, 'read-only'],
  [['Not implemented'], /./, 'not-supported'],
]

/** What is the matter, where DuckDB tells more than the kind of an error. */
export function detailOf({ type, message }: ErrorReport): ErrorDetail | undefined {
  if (saysDiskFull(message)) return 'disk-full'
  return RULES.find(([types, words]) => types.includes(type) && words.test(message))?.[2]
}
