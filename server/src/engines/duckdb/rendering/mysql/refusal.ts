import type { TokenEdits } from '@boathouse/sql'
import { refuses } from '../../guard/raised-error.ts'
import type { Source } from './source.ts'

/** Instead of the whole statement: what only seems to be done would be worse than an error. */
export function refuse(source: Source, edits: TokenEdits, words: string): void {
  edits.replace(source.first, source.until - 1, `SELECT ${refuses(words)}`)
}
