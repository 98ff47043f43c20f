import { type Piece, type RenderingRules, type TokenEdits, TOKEN } from '@boathouse/sql'
import { noteAlter } from './alter-table.ts'
import { noteCall, noteCase, noteCalledWord } from './calls.ts'
import { noteDelete, noteUpdate } from './changes.ts'
import { DriverEscapes, noteClause } from './clauses.ts'
import { noteColumnNames } from './column-names.ts'
import { noteTable } from './create-table.ts'
import { noteName } from './names.ts'
import { Operators } from './operators.ts'
import { noteSessionFunctions, type SessionFunctions } from './session-functions.ts'
import { Source } from './source.ts'
import { noteWholeDouble } from './whole-doubles.ts'
import { noteInsert } from './writes.ts'

const WORDS_BETWEEN = new Set(['DIV', 'MOD', 'XOR', 'REGEXP', 'RLIKE', 'LIKE'])

/** Statements of which more is to be known than their words. */
const CHANGES: Readonly<Record<string, (source: Source, edits: TokenEdits) => void>> = {
  ALTER: noteAlter,
  DELETE: noteDelete,
  INSERT: noteInsert,
  REPLACE: noteInsert,
  UPDATE: noteUpdate,
}

function noteStatement(piece: Piece, edits: TokenEdits, { pipesJoin, functions }: MysqlWords): void {
  const source = new Source(piece)
  const verb = source.word(source.first)
  const noting = {
    edits,
    operators: new Operators(source, edits, pipesJoin),
    escapes: new DriverEscapes(source, edits),
  }
  if (functions) noteSessionFunctions(source, functions, edits)
  const noteBetween = (first: number, last: number) => noteTokens(source, [first, last], noting)
  if (verb === 'CREATE' && noteTable(source, edits, noteBetween)) return
  CHANGES[verb]?.(source, edits)
  noteBetween(source.first, source.until - 1)
  noteColumnNames(source, edits)
}

function noteTokens(source: Source, [first, last]: readonly [number, number], noting: Noting): void {
  const { edits, operators, escapes } = noting
  for (let at = first; at <= last; at++) {
    switch (source.kind(at)) {
      case TOKEN.operator:
        operators.note(at)
        break
      case TOKEN.string:
        operators.text(at)
        break
      case TOKEN.number:
        operators.bytes(at)
        noteWholeDouble(source, at, edits)
        break
      case TOKEN.punctuation:
        escapes.note(at)
        break
      case TOKEN.word:
        noteWord(source, at, noting)
        break
      default:
    }
  }
}

interface Noting {
  readonly edits: TokenEdits
  readonly operators: Operators
  readonly escapes: DriverEscapes
}

function noteWord(source: Source, at: number, { edits, operators }: Noting): void {
  // Something else is written instead of it already.
  if (edits.has(at)) return
  const word = source.word(at)
  if (WORDS_BETWEEN.has(word) && (source.endsValue(at - 1) || source.word(at - 1) === 'NOT'))
    return operators.note(at)
  if (word === 'INTERVAL') return operators.interval(at)
  if (noteCalledWord(source, at, edits) || noteName(source, at, edits)) return
  if (word === 'CASE') noteCase(source, at, edits)
  noteClause(source, at, edits)
  noteCall(source, at, edits)
}

export interface MysqlWords {
  /** Whether `||` joins texts or is OR. */
  readonly pipesJoin: boolean
  /** What functions about the session give, where the service says it. */
  readonly functions?: SessionFunctions | undefined
}

/** What the other server means by its words, in DuckDB's. */
export const mysqlRules = (words: MysqlWords): RenderingRules => ({
  words: /\S/,
  note: (piece, edits) => noteStatement(piece, edits, words),
})
