import { analyse, type Statement, unquoteIdentifier } from '@boathouse/sql'

/** A statement that cannot be undone and takes more than a few rows. */
export interface Danger {
  readonly what: 'delete' | 'update' | 'truncate' | 'drop'
  /** As in 'table', for what is dropped. */
  readonly kind: string
  /** Catalog, database and name, as far as they are written. */
  readonly path: readonly string[]
}

const HIDDEN = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g
const NAME = String.raw`(?:[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")*"|\x60[^\x60]*\x60)`
const PATH = String.raw`(${NAME}(?:\s*\.\s*${NAME})*)`
const TARGETS = {
  delete: new RegExp(String.raw`\bdelete\s+from\s+(?:only\s+)?${PATH}`, 'iu'),
  update: new RegExp(String.raw`\bupdate\s+(?:only\s+)?${PATH}`, 'iu'),
  truncate: new RegExp(String.raw`\btruncate\s+(?:table\s+)?${PATH}`, 'iu'),
  drop: new RegExp(String.raw`\bdrop\s+(?:materialized\s+)?\p{L}+\s+(?:if\s+exists\s+)?${PATH}`, 'iu'),
} as const

const namesIn = (path: string): string[] =>
  (path.match(new RegExp(NAME, 'gu')) ?? []).map((name) => unquoteIdentifier(name))

function dangerOf(kind: string, text: string): Danger | null {
  const shown = text.replaceAll(HIDDEN, ' ')
  const what = kind.startsWith('drop-') ? 'drop' : kind
  if (what !== 'drop' && what !== 'truncate' && what !== 'delete' && what !== 'update') return null
  const isBounded = (what === 'delete' || what === 'update') && /\bwhere\b/i.test(shown)
  if (isBounded) return null
  return {
    what,
    kind: kind.replace(/^drop-/, '').replaceAll('-', ' '),
    path: namesIn(TARGETS[what].exec(shown)?.[1] ?? ''),
  }
}

/** What is analysed is run. */
const runKind = ({ kind, explained }: Statement): string => (explained?.analyze ? explained.kind : kind)

/** Statements of a text that need a confirmation before they run: on all rows of a table, or on the table itself. */
export const dangersIn = (sql: string): Danger[] =>
  analyse(sql).statements.flatMap((statement) => dangerOf(runKind(statement), statement.text) ?? [])
