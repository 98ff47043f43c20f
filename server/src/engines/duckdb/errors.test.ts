import { expect, test } from 'vitest'
import { engineError, isFatal, isInterrupt } from './errors.ts'
import { explainedTexts } from './guard/forbidden.ts'

const TEXT = { sql: 'SELECT é', shift: 15 }
const same = (text: string) => text
const report = (type: string, message: string, more: object = {}) =>
  new Error(JSON.stringify({ exception_type: type, exception_message: message, ...more }))

test.each([
  ['IO', 'Could not write file: No space left on device', 'resource'],
  ['Out of Memory', 'could not allocate block', 'resource'],
  ['IO', 'No files found that match the pattern "x"', 'missing'],
  ['INTERNAL', 'Attempted to access index 3\n\nStack Trace:\n/usr/lib/libduckdb.so(+0x1)', 'internal'],
  ['Something new', 'what', 'internal'],
])('takes %s: %s for an error of the kind %s', (type, message, kind) => {
  const error = engineError(report(type, message), TEXT, same)
  expect(error.kind).toBe(kind)
  expect(error.message).not.toContain('Stack Trace')
})

test.each(['Failed to query', '{ not json'])('shows %s, which is not a report, as it is', (message) => {
  expect(engineError(new Error(message), TEXT, same)).toEqual({ kind: 'internal', message })
})

test.each([
  ['14', undefined],
  ['15', 0],
  ['22', 7],
  ['24', 8],
  ['25', undefined],
])('gives no place that is not in the text: %s', (position, offset) => {
  expect(engineError(report('Binder', 'x', { position }), TEXT, same).offset).toBe(offset)
})

test('proposes a name of the user, and none of the engine or of the service', () => {
  const proposing = (name: string) =>
    engineError(report('Catalog', `Table x does not exist!\nDid you mean "${name}"?`), TEXT, same).message
  expect(proposing('pages')).toContain('"pages"')
  for (const name of ['boathouse_internal.effects', 'duckdb_indexes', 'pg_catalog.pg_class', 'sqlite_master'])
    expect(proposing(name)).toBe('Table x does not exist!')
})

test.each([
  ['One row only.\n\nUse "SET one_row=false" to get a random row.', 'One row only.'],
  ['Limit of 1000 exceeded. Use "SET limit TO x" to increase the limit.', 'Limit of 1000 exceeded.'],
  [
    'Violates a foreign key. If this is an unexpected constraint violation, please refer to our documentation',
    'Violates a foreign key.',
  ],
  ['Write USE "SET" or not.', 'Write USE "SET" or not.'],
])('advises nothing that cannot be done here: %s', (message, words) => {
  expect(engineError(report('Binder', message), TEXT, same).message).toBe(words)
})

test.each([
  [
    "Could not convert string 'wild' to UINT8",
    /^'wild' is not one of the labels of its column's ENUM type, or not a number from 0 to 255/,
  ],
  [
    "Could not convert string '5' to UINT16 when casting from source column s",
    /^'5' is not one of the labels .* ENUM type\.$/,
  ],
  ["Could not convert string 'wild' to INT32", /^Could not convert string 'wild' to INT32$/],
])('says that a text is no label of an ENUM: %s', (message, words) => {
  expect(engineError(report('Conversion', message), TEXT, same).message).toMatch(words)
})

test('masks paths in messages', () => {
  const error = engineError(report('IO', 'cannot open /data/acc/x'), TEXT, (text) =>
    text.replace('/data/acc', '<account>'),
  )
  expect(error.message).toBe('cannot open <account>/x')
})

test.each([
  'Allocation failure',
  'Failed to allocate block of 9 bytes (bad allocation)\n\nPossible solutions: …',
])('says what to do when the system gives no memory: %j', (message) => {
  const error = engineError(report('Out of Memory', message), TEXT, same)
  expect(error).toEqual({
    kind: 'resource',
    message: expect.stringMatching(/out of memory.*larger warehouse/),
  })
  expect(engineError(report('Invalid Input', message), TEXT, same).message).toBe(message)
})

test.each([
  [
    "failed to pin block of size 256.0 KiB (61.2 MiB/61.0 MiB used)\n\nPossible solutions:\n* Reducing the number of threads (SET threads=X)\n* Increasing the memory limit (SET memory_limit='...GB')",
    /^The engine is out of memory for this statement \(61\.2 MiB of 61\.0 MiB are in use\): .*larger warehouse\.$/,
  ],
  [
    "failed to offload data block of size 256.0 KiB (19.9 MiB/20.0 MiB used).\nThis limit was set by the 'max_temp_directory_size' setting.",
    /temporary disk space .* \(19\.9 MiB of 20\.0 MiB are in use\): .*larger warehouse\.$/,
  ],
])('gives no advice that cannot be followed: %j', (message, shown) => {
  expect(engineError(report('Out of Memory', message), TEXT, same)).toEqual({
    kind: 'resource',
    message: expect.stringMatching(shown),
  })
})

test('says of a locked setting what it is', () => {
  const message =
    'Cannot change configuration option "max_temp_directory_size" - the configuration has been locked'
  expect(engineError(report('Invalid Input', message), TEXT, same)).toEqual({ kind: 'permission', message })
})

test.each([
  ['IO', 'Could not write file "x.wal": No space left on device', 'disk-full'],
  ['Parser', 'syntax error at or near "selec"', 'unexpected-word'],
  ['Binder', 'syntax errors at no place', undefined],
  ['Catalog', 'Table with name nope does not exist!', 'missing-table'],
  ['Catalog', 'Table with name "a.t" does not exist because schema "a" does not exist.', 'missing-database'],
  ['Catalog', 'Schema with name nope does not exist!', 'missing-database'],
  ['Catalog', 'Scalar Function with name nope does not exist!', 'missing-function'],
  ['Catalog', 'Table with name "p" already exists!', 'exists'],
  ['Binder', 'Referenced column "nope" not found in FROM clause!', 'missing-column'],
  ['Binder', 'Table "p" does not have a column named "zz"', 'missing-column'],
  [
    'Binder',
    'Column "nope" referenced that exists in the SELECT clause - but this column cannot be referenced before it is defined',
    'missing-column',
  ],
  ['Binder', 'Referenced table "x" not found!', 'missing-table'],
  ['Binder', `No function matches the given name and argument types 'sum(VARCHAR)'.`, 'missing-function'],
  ['Binder', 'Ambiguous reference to column name "a" (use: "p.a" or "f.a")', 'ambiguous-column'],
  ['Binder', 'column "a" must appear in the GROUP BY clause or must be part of an aggregate', 'not-grouped'],
  ['Binder', 'table p has 4 columns but 1 values were supplied', 'wrong-count'],
  ['Constraint', 'Duplicate key "a: 1" violates primary key constraint.', 'duplicate-key'],
  ['Constraint', 'NOT NULL constraint failed: p.b', 'not-null'],
  ['Constraint', 'CHECK constraint failed on table p with expression CHECK((c > 0))', 'check'],
  [
    'Constraint',
    'Violates foreign key constraint because key "a: 9" does not exist in the referenced table',
    'foreign-key',
  ],
  [
    'Constraint',
    'Violates foreign key constraint because key "a: 1" is still referenced by a foreign key in a different table.',
    'referenced-key',
  ],
  ['Conversion', `Could not convert string 'x' to INT32`, 'cast'],
  ['Conversion', 'date field value out of range: "2024-13-01"', 'out-of-range'],
  ['Conversion', 'Could not cast value 12345 to DECIMAL(3,2)', 'out-of-range'],
  ['Invalid Input', 'Could not parse string "x" according to format specifier "%Y"', 'cast'],
  ['Out of Range', 'Overflow in addition of INT32 (2147483647 + 1)!', 'out-of-range'],
  ['Invalid Input', 'More than one row returned by a subquery used as an expression', 'several-rows'],
  ['Invalid Input', 'Something else', undefined],
  ['TransactionContext', 'Conflict on update!', 'conflict'],
  ['TransactionContext', 'Catalog write-write conflict on create with "z"', 'conflict'],
  [
    'TransactionContext',
    'Failed to commit: PRIMARY KEY or UNIQUE constraint violation: duplicate key "77"',
    'duplicate-key',
  ],
  ['TransactionContext', 'Current transaction is aborted (please ROLLBACK)', 'failed-transaction'],
  [
    'TransactionContext',
    'Cannot write to database "x" - transaction is launched in read-only mode',
    'read-only',
  ],
  ['Not implemented', 'This is not there yet', 'not-supported'],
])('carries what the service acts on as a code, not as words: %s: %s', (type, message, code) => {
  expect(engineError(report(type, message), TEXT, same).code).toBe(code)
})

test('what our functions raise says of which kind it is, and users read its words alone', () => {
  const raised = report('Invalid Input', '[boathouse:permission] f() is not available: use g().')
  expect(engineError(raised, TEXT, same)).toEqual({
    kind: 'permission',
    message: 'f() is not available: use g().',
  })
  expect(engineError(report('Invalid Input', 'f() is not available: said by a user.'), TEXT, same).kind).toBe(
    'data',
  )
})

test('knows an interrupt, and a failure that ends the engine', () => {
  expect(isInterrupt(report('INTERRUPT', 'Interrupted!'))).toBe(true)
  expect(isInterrupt(report('Binder', 'Interrupted!'))).toBe(false)
  expect(isFatal(report('FATAL', 'the log could not be written'))).toBe(true)
  expect(isFatal(report('Invalid Input', 'the database has been invalidated because of a fatal error'))).toBe(
    true,
  )
  expect(isFatal(report('IO', 'no such file'))).toBe(false)
})

test.each([
  ['EXPLAIN SELECT 1', ['SELECT 1']],
  ['explain analyze verbose SELECT 1', ['SELECT 1']],
  ['-- why\n/* a /* b */ c */EXPLAIN/**/ANALYZE /* d */ COPY x', ['COPY x']],
  ['EXPLAIN (ANALYZE, FORMAT json) COPY x', ['(ANALYZE, FORMAT json) COPY x', ' COPY x']],
  ['EXPLAIN (SELECT 1)', ['(SELECT 1)', '']],
  ["EXPLAIN (SELECT ')') COPY x", ["(SELECT ')') COPY x"]],
  ['EXPLAINED x', []],
  ['SELECT 1', []],
])('finds what is explained in %j', (sql, texts) => {
  expect(explainedTexts(sql)).toEqual(texts)
})
