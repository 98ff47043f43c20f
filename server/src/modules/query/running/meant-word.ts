import { meantWord, type Statement } from '@boathouse/sql'
import { type Ending, withError } from './ending.ts'

/** Where the engine's parser gives up, a word of the language was often merely misspelt. */
export function withMeantWord(ending: Ending, statement: Statement): Ending {
  const { error } = ending
  if (!error || error.offset === null || error.detail !== 'unexpected-word') return ending
  const meant = meantWord(statement, error.offset)
  if (!meant) return ending
  const written = statement.text.slice(meant.offset).match(/^\w+/)?.[0] ?? ''
  return withError(ending, { message: `${error.message}\nDid you mean ${meant.word} instead of ${written}?` })
}
