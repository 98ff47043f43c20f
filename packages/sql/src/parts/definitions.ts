import { matchKind } from '../kinds/match-kind.ts'
import { keywordAt, type Piece } from '../text/piece.ts'
import type { StatementKind } from '../kinds/statement-kinds.ts'
import type { TokenReader } from '../text/token-reader.ts'
import { openTokenReader } from '../text/token-reader.ts'

type Defining = Extract<StatementKind, `${'create' | 'drop' | 'alter'}-${string}`>
/** What can be created, dropped or altered. */
export type DefinedObject = Defining extends `${string}-${infer Rest}` ? Rest : never

export interface Definition {
  object: DefinedObject
  /** As it is written, outermost first; of an index that is created, the table it is on. */
  name: string[]
  /** For the session alone. */
  temporary: boolean
}

const DEFINING = /^(?:create|drop|alter)-(.+)$/

/**
 * CREATE, DROP or ALTER of an object, as far as its name; null for anything else, and where no name follows. `from` is
 * the index of its first token, as of one that is explained.
 */
export function readDefinition(statement: Piece, from = statement.first): Definition | null {
  const reader = openTokenReader(statement, from)
  const { kind, length } = matchKind(reader.statement, from)
  const object = DEFINING.exec(kind)?.[1] as DefinedObject | undefined
  if (object === undefined) return null
  const words = Array.from({ length }, (_, at) => keywordAt(statement, from + at))
  const temporary = words.includes('TEMP') || words.includes('TEMPORARY')
  reader.skip(length)
  skipCondition(reader)
  if (kind === 'create-index') skipIndexName(reader)
  const name = reader.qualifiedName()
  return name && { object, name, temporary }
}

function skipCondition(reader: TokenReader): void {
  if (reader.peek() !== 'IF') return
  const length = reader.peek(1) === 'NOT' ? 3 : 2
  if (reader.peek(length - 1) === 'EXISTS') reader.skip(length)
}

/** CREATE INDEX [name] ON table */
function skipIndexName(reader: TokenReader): void {
  if (reader.peek() !== 'ON') reader.qualifiedName()
  reader.take('ON')
}
