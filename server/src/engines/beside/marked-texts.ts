import { randomUUID } from 'node:crypto'
import type { DatabasePlace } from '../engine/names.ts'

/** What a session in front of an engine does itself, in the place of the engine. */
export type Marked<Own> =
  /** A database of a catalog beside the engine's own. */
  | { readonly does: 'enter'; readonly place: DatabasePlace }
  /** To a place outside, by a statement of the engine itself. */
  | { readonly does: 'leave'; readonly sql: string }
  /** One after the other in one session, for any cluster of the account that runs. The last one is what is answered. */
  | { readonly does: 'run'; readonly texts: readonly string[] }
  | { readonly does: 'own'; readonly own: Own }

/** Statements as texts that nobody else can write: what a user sends is never taken for one of ours. */
export function markedTexts<Own>() {
  const mark = `beside ${randomUUID()} `
  return {
    textOf: (statement: Marked<Own>): string => `${mark}${JSON.stringify(statement)}`,
    /** Null for a text that somebody else wrote. */
    readIn: (text: string): Marked<Own> | null =>
      text.startsWith(mark) ? (JSON.parse(text.slice(mark.length)) as Marked<Own>) : null,
  }
}
