import type { EngineError } from '../../engine/outcome.ts'
import type { HiddenValues } from '../../engine/objects.ts'
import { StatementRefused, readReport } from '../errors.ts'

/** What DuckDB says before anything runs, of names and types alone. */
const OF_TEXT = new Set(['Parser', 'Syntax', 'Binder', 'Catalog', 'Parameter Not Resolved'])

/** What is the matter, without a value. */
const WORDS: Readonly<Record<string, string>> = {
  Conversion: 'A value could not be converted to another type',
  'Mismatch Type': 'A value could not be converted to another type',
  'Out of Range': 'A value is out of range',
  Decimal: 'A value is out of range',
  'Divide by Zero': 'A value was divided by zero',
  Constraint: 'A row violates a constraint',
  'Invalid Input': 'A value cannot be taken by a function or operator',
  TransactionContext: 'The statement is in conflict with another transaction',
}

const CONSTRAINTS: readonly (readonly [RegExp, string])[] = [
  [/^NOT NULL constraint/, 'A row has no value in a column that needs one'],
  [/^CHECK constraint/, 'A row violates a CHECK constraint'],
  [/foreign key/i, 'A row violates a foreign key'],
  [
    /^(?:Duplicate key|PRIMARY KEY or UNIQUE|Data contains duplicates)|primary key|unique/i,
    'Two rows have the same key',
  ],
]

function wordsFor(type: string, message: string): string {
  const constraint = type === 'Constraint' ? CONSTRAINTS.find(([words]) => words.test(message)) : undefined
  return constraint?.[1] ?? WORDS[type] ?? 'The statement failed'
}

/**
 * An error for somebody who may not read all values that its message may hold. Closed: neither DuckDB's message of a
 * running statement nor the place in the text is shown, since both depend on the values.
 */
export function withoutValues(
  error: EngineError,
  { cause, hides, hasRun }: { cause: unknown; hides: HiddenValues; hasRun: boolean },
): EngineError {
  if (cause instanceof StatementRefused || error.kind === 'resource') return error
  const { type, message } = readReport(cause)
  if (!hasRun && OF_TEXT.has(type)) return error
  return {
    kind: error.kind,
    message: `${wordsFor(type, message)}. The value is not shown, because ${hides.why}.`,
  }
}
