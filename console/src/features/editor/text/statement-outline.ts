import { splitStatements, statementAt } from '@boathouse/sql'
import { StateEffect, StateField } from '@codemirror/state'
import type { EditorState, Range } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin } from '@codemirror/view'
import type { DecorationSet, ViewUpdate } from '@codemirror/view'

/** Up to this the text is read at every key; longer texts are read when the keys pause, the longest not at all. */
const READ_AT_ONCE = 6_000
const LONGEST_READ = 150_000
const PAUSE_MS = 150

const line = Decoration.line({ class: 'cm-statementLine' })
const part = Decoration.mark({ class: 'cm-statementPart' })

interface Span {
  readonly start: number
  readonly end: number
}

/** Whether another statement is on the first or the last line of this one. */
function sharesLine(state: EditorState, span: Span, statements: readonly Span[]): boolean {
  const first = state.doc.lineAt(span.start)
  const last = state.doc.lineAt(span.end)
  return statements.some(
    (other) =>
      other.start !== span.start &&
      ((other.end >= first.from && other.end <= first.to) ||
        (other.start >= last.from && other.start <= last.to)),
  )
}

/** Nothing while a selection is there: then the selection is what would run. */
function outline(state: EditorState): DecorationSet {
  const { main } = state.selection
  if (!main.empty || state.doc.length > LONGEST_READ) return Decoration.none
  const text = state.doc.toString()
  const statement = statementAt(text, main.head)
  if (!statement) return Decoration.none
  const marks: Range<Decoration>[] = []
  for (let at = statement.start; at <= statement.end;) {
    const { from, to } = state.doc.lineAt(at)
    marks.push(line.range(from))
    at = to + 1
  }
  if (sharesLine(state, statement, splitStatements(text)))
    marks.push(part.range(statement.start, statement.end))
  return Decoration.set(marks, true)
}

const setOutline = StateEffect.define<DecorationSet>()

const isShort = (state: EditorState): boolean => state.doc.length <= READ_AT_ONCE

const outlineField = StateField.define<DecorationSet>({
  create: (state) => (isShort(state) ? outline(state) : Decoration.none),
  update(marks, { changes, docChanged, effects, selection, state }) {
    const set = effects.find((effect) => effect.is(setOutline))
    if (set) return set.value
    if (!docChanged && !selection) return marks
    return isShort(state) ? outline(state) : marks.map(changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Owns the timer of a long text. */
class LaterOutline {
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(readonly view: EditorView) {
    if (!isShort(view.state)) this.#schedule()
  }

  update({ docChanged, selectionSet, state }: ViewUpdate): void {
    clearTimeout(docChanged || selectionSet ? this.#timer : undefined)
    if ((docChanged || selectionSet) && !isShort(state)) this.#schedule()
  }

  destroy(): void {
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    this.#timer = setTimeout(
      () => this.view.dispatch({ effects: setOutline.of(outline(this.view.state)) }),
      PAUSE_MS,
    )
  }
}

/** Shows which statement would run before it is run. */
export const statementOutline = [outlineField, ViewPlugin.fromClass(LaterOutline)]
