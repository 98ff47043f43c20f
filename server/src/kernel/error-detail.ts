/**
 * What is the matter with a statement, where its code and kind are too coarse: doors that number errors say it to programs,
 * and the service acts on some of them. A word for programs, never a text for people.
 */
export const ERROR_DETAILS = [
  /** The disk of the service has no room. */
  'disk-full',
  /** The engine's parser gave up at the word that stands at the place of the error. */
  'unexpected-word',
  /** The service cannot read this form of a statement. */
  'unreadable',
  'not-supported',
  'missing-database',
  'missing-table',
  'missing-column',
  'missing-function',
  'missing-variable',
  'missing-prepared',
  'missing-connection',
  'missing-savepoint',
  /** There is one of this name already. */
  'exists',
  'ambiguous-column',
  'not-grouped',
  /** More or fewer values than columns. */
  'wrong-count',
  'several-rows',
  'duplicate-key',
  'not-null',
  'check',
  'foreign-key',
  /** A row that others refer to by a foreign key. */
  'referenced-key',
  'cast',
  'out-of-range',
  'division-by-zero',
  /** A value that a variable cannot have. */
  'wrong-value',
  /** Another transaction has changed the same; begun again, it may succeed. */
  'conflict',
  /** An earlier statement of the transaction failed: it can only be rolled back. */
  'failed-transaction',
  /** What cannot be a part of a transaction. */
  'inside-transaction',
  /** The transaction is gone, and nothing of it took effect. */
  'rolled-back',
  'read-only',
] as const

export type ErrorDetail = (typeof ERROR_DETAILS)[number]
