import { splitStatements, statementAt } from '@boathouse/sql'
import { StateField } from '@codemirror/state'
import type { EditorState, Range } from '@codemirror/state'
import { Decoration, EditorView } from '@codemirror/view'
import type { DecorationSet } from '@codemirror/view'

/** Beyond this, reading the text at every key would be felt; running still works. */
const LONGEST_TEXT = 200_000

const line = Decoration.line({ class: 'cm-statementLine' })
const part = Decoration.mark({ class: 'cm-statementPart' })

interface Span {
  readonly start: number
  readonly end: number
}

/** Whether another statement stands on the first or the last line of this one. */
function sharesLine(state: EditorState, span: Span, statements: readonly Span[]): boolean {
  const first = state.doc.lineAt(span.start).number
  const last = state.doc.lineAt(span.end).number
  return statements.some(
    (other) =>
      other.start !== span.start &&
      (state.doc.lineAt(other.end).number === first || state.doc.lineAt(other.start).number === last),
  )
}

/** Nothing while a selection is there: then the selection is what would run. */
function outline(state: EditorState): DecorationSet {
  const { main } = state.selection
  if (!main.empty || state.doc.length > LONGEST_TEXT) return Decoration.none
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

/** Shows which statement would run before it is run. */
export const statementOutline = StateField.define<DecorationSet>({
  create: outline,
  update: (marks, { docChanged, selection, state }) => (docChanged || selection ? outline(state) : marks),
  provide: (field) => EditorView.decorations.from(field),
})
