import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  completionStatus,
  selectedCompletionIndex,
  setSelectedCompletion,
} from '@codemirror/autocomplete'
import { Prec } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import type { EditorView } from '@codemirror/view'
import { readKept } from '../../../lib/kept.ts'
import { type CompletionKeys, isCompletionKeys } from './completion-keys.ts'
import type { NameCache } from './name-cache.ts'

const keysOf = (): CompletionKeys => readKept('completion-keys', isCompletionKeys) ?? 'tab'

type Loaded = typeof import('./completion-source.ts')
let loaded: Loaded | null = null

/** With the first word that is typed; without a connection nothing is offered until the next one. */
async function load(): Promise<Loaded | null> {
  loaded ??= await import('./completion-source.ts').catch(() => null)
  return loaded
}

const completionSource = (names: NameCache) => {
  let source: ReturnType<Loaded['createCompletionSource']> | null = null
  return async (context: CompletionContext) => {
    source ??= (await load())?.createCompletionSource(names) ?? null
    return (await source?.(context)) ?? null
  }
}

/** The one that is marked, else the first. */
function accept(view: EditorView): boolean {
  if (completionStatus(view.state) !== 'active') return false
  if (selectedCompletionIndex(view.state) === null) view.dispatch({ effects: setSelectedCompletion(0) })
  return acceptCompletion(view)
}

/** A list that opened without a word leaves Enter alone, unless the arrows have chosen something. */
function acceptByEnter(view: EditorView): boolean {
  const { state } = view
  const { head } = state.selection.main
  const isWritten = /[\p{L}\p{N}_$"`]$/u.test(state.sliceDoc(Math.max(0, head - 1), head))
  return keysOf() !== 'tab' && isWritten && accept(view)
}

/**
 * Tab takes what is offered, unless the user has chosen Enter. Enter is a new line, unless it was chosen or the arrows
 * have chosen something.
 */
export const sqlCompletion = (names: NameCache): Extension => [
  autocompletion({
    override: [completionSource(names)],
    icons: false,
    selectOnOpen: false,
    interactionDelay: 0,
    // Behind the label (50) and the detail (80).
    addToOptions: [{ render: (completion: Completion) => loaded?.kindOf(completion) ?? null, position: 90 }],
  }),
  Prec.highest(
    keymap.of([
      { key: 'Tab', run: (view) => keysOf() !== 'enter' && accept(view) },
      { key: 'Enter', run: acceptByEnter },
    ]),
  ),
]
