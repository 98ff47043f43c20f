import { textLiteral, type TokenEdits } from '@boathouse/sql'
import { nameBetween } from './named-tables.ts'
import { asName } from './names.ts'
import type { Source } from './source.ts'

/** Comments of tables and columns, which are parts of other statements there and statements of their own here. */

/** What else than a column a list of columns may hold. */
export const NO_COLUMN: ReadonlySet<string> = new Set([
  'CONSTRAINT',
  'PRIMARY',
  'UNIQUE',
  'FOREIGN',
  'INDEX',
  'KEY',
  'FULLTEXT',
  'SPATIAL',
  'CHECK',
])

/** COMMENT [=] 'text' at a token; null where there is none. */
function commentAt(source: Source, at: number): string | null {
  if (source.word(at) !== 'COMMENT') return null
  return source.literal(source.word(at + 1) === '=' ? at + 2 : at + 1)
}

/** The comment between two tokens, outside of parentheses; null where there is none. */
function commentBetween(source: Source, first: number, last: number): string | null {
  for (let at = first; at <= last; at++) {
    if (source.word(at) === '(') at = Math.max(at, source.partner(at))
    const comment = commentAt(source, at)
    if (comment !== null) return comment
  }
  return null
}

/** A column as it is written: its name, and what follows. */
type Written = readonly [first: number, last: number]

export interface Commented {
  /** In double quotes, with what is before it. */
  readonly table: string
  readonly columns: readonly Written[]
  /** Where the options of the table are. */
  readonly options?: Written
}

const onTable = (table: string, comment: string): string =>
  `COMMENT ON TABLE ${table} IS ${textLiteral(comment)}`

/** A statement for each comment. */
export function commentsOn(source: Source, { table, columns, options }: Commented): readonly string[] {
  const ofTable = options ? commentBetween(source, ...options) : null
  const ofColumns = columns.flatMap(([first, last]) => {
    const comment = NO_COLUMN.has(source.word(first)) ? null : commentBetween(source, first + 1, last)
    if (comment === null) return []
    return [`COMMENT ON COLUMN ${table}.${asName(source.written(first, first))} IS ${textLiteral(comment)}`]
  })
  return ofTable === null ? ofColumns : [onTable(table, ofTable), ...ofColumns]
}

/** What commas part between two parentheses. */
export function elementsBetween(source: Source, opening: number, closing: number): readonly Written[] {
  const elements: Written[] = []
  let first = opening + 1
  for (let at = first; at <= closing; at++) {
    if (source.word(at) === '(') at = Math.max(at, source.partner(at))
    else if (source.word(at) === ',' || at === closing) {
      elements.push([first, at - 1])
      first = at + 1
    }
  }
  return elements
}

/** ALTER TABLE name COMMENT [=] 'text' */
export function noteTableComment(
  source: Source,
  { name, first, last }: { readonly name: number; readonly first: number; readonly last: number },
  edits: TokenEdits,
): void {
  const comment = commentAt(source, first)
  if (comment === null) return
  edits.replace(source.first, last, onTable(nameBetween(source, name, first - 1), comment))
}
