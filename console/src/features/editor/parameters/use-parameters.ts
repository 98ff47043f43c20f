import { LIMITS } from '@boathouse/contract/limits'
import type { Parameter } from '@boathouse/contract/parameters'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'

const NONE: readonly Parameter[] = []

/** Of one form: both take one value, two, or several. */
const isAlike = (one: Parameter, other: Parameter): boolean =>
  (one.kind === 'range') === (other.kind === 'range') &&
  (one.kind === 'several') === (other.kind === 'several')

/** What is no longer in the text is kept for as long as there is room: it may come back. */
const changed = (known: readonly Parameter[], next: Parameter): Parameter[] =>
  [next, ...known.filter(({ name }) => name !== next.name)].slice(0, LIMITS.parameters)

/** The parameters of a tab. They are kept with the query. */
export function useParameters(tabId: string) {
  const { store, saveParameters } = useEditorRuntime()
  const known = useEditorState(store, ({ tabs }) => tabs[tabId]?.parameters ?? NONE)
  const keep = (next: readonly Parameter[]) => {
    store.describe(tabId, next)
    saveParameters(tabId)
  }
  return {
    known,
    change: (next: Parameter) => keep(changed(store.tab(tabId)?.parameters ?? NONE, next)),
    /** The values of others, of which those that are known keep what else is known of them. */
    take(others: readonly Parameter[]) {
      let next = store.tab(tabId)?.parameters ?? NONE
      for (const other of others) {
        const own = next.find(({ name }) => name === other.name)
        next = changed(next, own && isAlike(own, other) ? { ...own, value: other.value } : other)
      }
      keep(next)
    },
  }
}
