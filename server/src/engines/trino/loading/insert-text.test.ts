import { expect, test } from 'vitest'
import type { ValueType } from '../../engine/columns.ts'
import { insertText } from './insert-text.ts'

const table = { catalog: 'lake', database: 'harbor', name: 'bo"ats' }
const column = (name: string, typeName: string, type: ValueType) => ({ name, typeName, type })
const ID = column('id', 'bigint', { kind: 'integer', bits: 64, isSigned: true })
const AT = column('at', 'timestamp(6) with time zone', { kind: 'timestamp', precision: 6, isZoned: true })
const BYTES = column('bytes', 'varbinary', { kind: 'binary' })

test('rows are one statement, in which values are texts of the type of their column', () => {
  const rows = [
    ['1', '2026-01-02 03:04:05+00', '6162'],
    [null, '2026-01-02 03:04:05.5-03:30', null],
  ]
  expect(insertText({ table, columns: [ID, AT, BYTES], rows }, 1_000)).toBe(
    `INSERT INTO "lake"."harbor"."bo""ats" ("id", "at", "bytes") SELECT CAST(c0 AS bigint), CAST(c1 AS timestamp(6) with time zone), from_hex(c2) FROM (VALUES
('1', '2026-01-02 03:04:05 +00:00', '6162'),
(NULL, '2026-01-02 03:04:05.5 -03:30', NULL)
) AS staged (c0, c1, c2)`,
  )
})

test('a value cannot end its text', () => {
  const name = column('name', 'varchar', { kind: 'text', length: null })
  const rows = [["'), ('x"], ['\\'], ['a\nb -- c']]
  expect(insertText({ table, columns: [name], rows }, 1_000)).toContain(
    `('''), (''x'),\n('\\'),\n('a\nb -- c')\n)`,
  )
})

test('a statement that would be too long is not made', () => {
  const rows = Array.from({ length: 100 }, () => ['1'])
  expect(insertText({ table, columns: [ID], rows }, 300)).toBeNull()
  const text = insertText({ table, columns: [ID], rows }, 10_000) ?? ''
  expect(insertText({ table, columns: [ID], rows }, text.length + 2)).toBe(text)
})
