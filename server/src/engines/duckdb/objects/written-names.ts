import { type Statement, hasSplitText, namesIn } from '@boathouse/sql'
import { Unresolved } from './bound-plan.ts'
import { type Names, NO_NAMES } from './parse-tree.ts'
import type { WrittenName } from './names.ts'

/** `a`, `a.b` and `a.b.c` of `a.b.c.d`: any of them may be a table, and the rest a column. */
function tablesIn(parts: readonly string[]): WrittenName[] {
  return [1, 2, 3].flatMap((length): WrittenName[] => {
    const [name, schema, catalog] = parts.slice(0, length).toReversed()
    if (length > parts.length || name === undefined) return []
    return [{ ...(catalog !== undefined && { catalog }), ...(schema !== undefined && { schema }), name }]
  })
}

/**
 * All names that our own lexer finds in a part of a statement, whatever they are of. Texts count too: DuckDB takes
 * `FROM 'a'` for the table a.
 */
export function namesInTokens(statement: Statement, range?: { first: number; until: number }): Names {
  const tables: WrittenName[] = []
  const functions: WrittenName[] = []
  const piece = { ...statement, ...range }
  if (hasSplitText(piece)) throw new Unresolved('a text in it spans several lines')
  for (const { parts, isCalled } of namesIn(piece)) {
    tables.push(...tablesIn(parts))
    const [name, schema, catalog] = parts.toReversed()
    if (isCalled && name !== undefined)
      // Of `a.b(…)`, a may also be the value that b is called with.
      functions.push(
        { name },
        { ...(catalog !== undefined && { catalog }), ...(schema !== undefined && { schema }), name },
      )
  }
  return { ...NO_NAMES, tables, functions }
}
