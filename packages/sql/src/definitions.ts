import { matchKind } from './kinds.ts'
import type { StatementKind } from './statement-kinds.ts'
import type { TokenReader } from './token-reader.ts'
import { openTokenReader } from './token-reader.ts'

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

/** CREATE, DROP or ALTER of an object, as far as its name; null for anything else, and where no name follows. */
export function readDefinition(text: string): Definition | null {
  const reader = openTokenReader(text)
  const { kind, length } = matchKind(reader.tokens, 0)
  const object = DEFINING.exec(kind)?.[1] as DefinedObject | undefined
  if (object === undefined) return null
  const temporary = reader.tokens
    .slice(0, length)
    .some(({ keyword }) => keyword === 'TEMP' || keyword === 'TEMPORARY')
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
