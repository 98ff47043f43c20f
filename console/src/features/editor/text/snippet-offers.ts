import type { Snippet } from '@boathouse/contract/editor-snippets'
import { type Completion, snippet } from '@codemirror/autocomplete'
import styles from './completion.module.css'

/** What would be inserted, beside the list. */
function textOf({ text }: Snippet): HTMLElement {
  const shown = document.createElement('pre')
  shown.className = styles['snippet'] ?? ''
  shown.textContent = text
  return shown
}

const lower = (name: string): string => name.toLowerCase()

const offer = (one: Snippet): Completion => ({
  label: one.name,
  type: 'snippet',
  apply: snippet(one.text),
  info: () => textOf(one),
})

/** Whose name is complete goes before everything; that a name begins with the word says less than what fits the place. */
export function snippetOffers(snippets: readonly Snippet[], word: string) {
  const sought = lower(word)
  const fitting = snippets.filter(({ name }) => lower(name).startsWith(sought))
  return {
    first: fitting.filter(({ name }) => lower(name) === sought).map(offer),
    last: fitting.filter(({ name }) => lower(name) !== sought).map(offer),
  }
}
