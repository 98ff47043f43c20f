import { autocompletion, type Completion, type CompletionContext } from '@codemirror/autocomplete'
import { Prec } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import type * as CompletionSource from './completion-source.ts'
import type { NameCache } from './name-cache.ts'

type Loaded = typeof CompletionSource
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

/** Before something was loaded there is nothing to take. */
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
      { key: 'Tab', run: (view) => loaded?.acceptBy('tab', view) ?? false },
      { key: 'Enter', run: (view) => loaded?.acceptBy('enter', view) ?? false },
    ]),
  ),
]
