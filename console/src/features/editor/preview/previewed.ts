import { LIMITS } from '@boathouse/contract/limits'
import { analyse, quoteIdentifier, statementAt } from '@boathouse/sql'
import { blocksOf } from '../text/query-blocks.ts'
import { groupsOf } from '../text/token-groups.ts'

export type Previewed =
  | {
      readonly kind: 'rows'
      readonly sql: string
      /** Of the query of WITH that the cursor is in; null: the whole statement. */
      readonly cte: string | null
    }
  /** Nothing that makes sense is there yet, it changes something, or it is too long to be read at every pause. */
  | { readonly kind: 'nothing' | 'changes' | 'long' }

/** The query of WITH around the cursor, asked for by its name, with all that is written before it. */
function cteAt(statement: string, at: number): { readonly sql: string; readonly cte: string } | null {
  const [block] = blocksOf(groupsOf(statement))
  const found = block?.ctes.find(({ query }) => query.isClosed && query.start < at && at < query.end)
  if (!found) return null
  const { name, query } = found
  return { sql: `${statement.slice(0, query.end)}\nSELECT * FROM ${quoteIdentifier(name)}`, cte: name }
}

/** What there is to see of a text while the cursor is here. */
export function previewedAt(text: string, cursor: number): Previewed {
  const statement = statementAt(text, cursor)
  if (!statement || statement.text.trim() === '') return { kind: 'nothing' }
  if (statement.text.length > LIMITS.queryPreviewLength) return { kind: 'long' }
  const read = analyse(statement.text).statements[0]
  if (read?.kind === 'unknown') return { kind: 'nothing' }
  if (read?.class !== 'reads') return { kind: 'changes' }
  return { kind: 'rows', sql: statement.text, cte: null, ...cteAt(statement.text, cursor - statement.start) }
}
