import { expect, test } from 'vitest'
import { BETRAYING, problemWith, WIRING } from './check-engine-words.mjs'

test.each([
  ['server/src/modules/query/service.ts', "import { openSample } from '../../engines/duckdb/samples.ts'"],
  ['server/src/engines/engine/engine.ts', '/** As DuckDB does. */'],
  ['server/src/modules/query/query.test.ts', "startApp({}, { engine: 'duckdb' })"],
  ['packages/sql/src/index.ts', 'const DUCKDB = 1'],
  [
    'server/src/modules/query/service.ts',
    "import { createTrinoProvider } from '../../engines/trino/provider.ts'",
  ],
  ['server/src/engines/duckdb/dialect.ts', '// as Trino does'],
  ['server/src/engines/trino/engine.ts', '// as DuckDB does'],
  ['console/src/ui/grid/grid.tsx', '// DuckDB gives it as text'],
])('the engine is not named outside of its room: %s', (file, line) => {
  expect(problemWith(file, line)).toBe('names the engine')
})

test.each([
  ['packages/sql/src/kinds.ts', "edits.set(at, 'UBIGINT')", 'UBIGINT'],
  ['server/src/modules/query/sessions/user-variables.ts', '`getvariable(${name})`', 'getvariable'],
])('nor are its words used in %s', (file, line, word) => {
  expect(problemWith(file, line)).toBe(`has the engine's own word ${word}`)
})

test.each([
  ['server/src/engines/duckdb/dialect.ts', "import { DuckDBInstance } from '@duckdb/node-api'"],
  ['server/src/engines/trino/engine.ts', 'export class TrinoEngine implements Engine {'],
  ['server/src/modules/query/README.md', 'DuckDB binds it'],
  ['console/src/i18n/en/home.ts', "engine: 'DuckDB'"],
  ['server/src/main.ts', 'const engines = createDuckdbProvider({ log })'],
  ['server/src/modules/query/prepared.test.ts', "run(`SELECT getvariable('seen')`)"],
  ['console/src/features/editor/text/sql-dialect.ts', 'ubigint uuid'],
])('its room, where it is wired and what people read or send may: %s', (file, line) => {
  expect(problemWith(file, line)).toBeNull()
})

test('what is excused is a short list, each with a reason', () => {
  const reasons = [...Object.values(WIRING), ...Object.values(BETRAYING)]
  expect(reasons.length).toBeLessThan(30)
  expect(reasons.every((reason) => reason.length > 10)).toBe(true)
})
