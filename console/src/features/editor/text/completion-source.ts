import '../../../i18n/writing.ts'
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  selectedCompletionIndex,
  startCompletion,
} from '@codemirror/autocomplete'
import type { Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { splitStatements } from '@boathouse/sql'
import { t } from '../../../i18n/texts.ts'
import { completionPlace } from './completion-context.ts'
import { offersAt } from './completion-offers.ts'
import type { NameCache } from './name-cache.ts'
import styles from './completion.module.css'

export { acceptBy } from './accept-completion.ts'

/** Longer texts are read only around the cursor. */
const LONGEST_READ = 150_000
/** What is not known by then is left out, and added when it comes. */
const PATIENCE_MS = 40
/** For one place: names that cannot be loaded are not asked for again and again. */
const MOST_RESUMED = 3

/** The statement around the cursor, also an incomplete one. */
function statementAround(text: string, at: number): { text: string; start: number } {
  if (text.length > LONGEST_READ) {
    const start = Math.max(0, at - 5_000)
    return { text: text.slice(start, at + 5_000), start }
  }
  const before = splitStatements(text).findLast(({ end }) => end < at && text.slice(end, at).includes(';'))
  const start = before ? text.indexOf(';', before.end) + 1 : 0
  const next = splitStatements(text).find(({ start: begin, end }) => begin >= start && end >= at)
  return { text: text.slice(start, Math.max(at, next?.end ?? at)), start }
}

/** The same names, but those that take too long are as if there were none; `rest` is there once they are. */
function hurried(names: NameCache) {
  const asked: Promise<unknown>[] = []
  let isLate = false
  const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS))
  const soon = <T>(answer: Promise<readonly T[]>): Promise<readonly T[]> => {
    let isHere = false
    asked.push(answer.then(() => (isHere = true)))
    const given = late.then((): readonly T[] | Promise<readonly T[]> => {
      if (isHere) return answer
      isLate = true
      return []
    })
    return Promise.race([answer, given])
  }
  const soonNames: NameCache = {
    place: () => names.place(),
    catalogs: () => soon(names.catalogs()),
    databases: (catalog) => soon(names.databases(catalog)),
    tables: (catalog, database) => soon(names.tables(catalog, database)),
    columns: (catalog, database, table) => soon(names.columns(catalog, database, table)),
    found: (word) => soon(names.found(word)),
    snippets: () => soon(names.snippets()),
  }
  return { names: soonNames, rest: () => (isLate ? Promise.all(asked) : null) }
}

/** What a kind of completion is called, behind its detail. */
export function kindOf({ type }: Completion): HTMLElement {
  const kind = document.createElement('span')
  kind.className = styles['kind'] ?? ''
  kind.textContent = t(`writing.kinds.${type as 'table'}`)
  return kind
}

/** Shows what is known at once, and the list again when the rest has come. */
export function createCompletionSource(names: NameCache) {
  /** The place whose list was shown before all of its names were there. */
  let resumed: { doc: Text; at: number; times: number } | null = null

  function resume(view: EditorView, { state, pos }: CompletionContext): void {
    const isSame = resumed?.doc === state.doc && resumed.at === pos
    const times = isSame ? (resumed?.times ?? 0) + 1 : 1
    // What the user has begun to choose from stays.
    const isChosen = selectedCompletionIndex(view.state) !== null
    const isThere = view.state.doc === state.doc && view.state.selection.main.head === pos && view.hasFocus
    if (times > MOST_RESUMED || isChosen || !isThere) return
    resumed = { doc: state.doc, at: pos, times }
    startCompletion(view)
  }

  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { state, pos, view } = context
    const statement = statementAround(state.doc.toString(), pos)
    const place = completionPlace(statement.text, statement.start, pos)
    if (place.wants === 'nothing') return null
    const isExplicit = context.explicit && !(resumed?.doc === state.doc && resumed.at === pos)
    const isAsked = isExplicit || place.word !== '' || place.path.length > 0 || place.quote !== ''
    const hasColumns = place.beginsValue && place.scopes.some(({ sources }) => sources.length > 0)
    if (!isAsked && place.wants === 'anything' && !hasColumns) return null
    const hurry = hurried(names)
    const options = await offersAt(hurry.names, place)
    const rest = hurry.rest()
    if (rest && view) void rest.then(() => resume(view, context))
    const [only] = options
    const isWhole = options.length === 1 && only?.label === place.word && only.type !== 'snippet'
    const offered = isWhole && !isExplicit ? [] : options
    // Null would end the completion. What was typed on while names were loaded has to be completed, too.
    if (offered.length === 0 && view?.state.doc === state.doc) return null
    return { from: place.from, to: place.to, options: offered, filter: false }
  }
}
