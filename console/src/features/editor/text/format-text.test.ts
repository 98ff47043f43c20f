import { history, undo } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { formatText, LONGEST_FORMATTED } from './format-text.ts'

/** The bars are the selection, or one is the cursor. */
function openText(marked: string) {
  const [first = '', ...rest] = marked.split('|')
  const anchor = first.length
  const head = rest.length > 1 ? anchor + (rest[0] ?? '').length : anchor
  const doc = [first, ...rest].join('')
  let state = EditorState.create({ doc, selection: { anchor, head }, extensions: history() })
  return {
    text: () => state.doc.toString(),
    shown: () => {
      const { from, to } = state.selection.main
      const text = state.doc.toString()
      const selected = from === to ? '' : `${text.slice(from, to)}|`
      return `${text.slice(0, from)}|${selected}${text.slice(to)}`
    },
    format: () => {
      const { change, notice } = formatText(state)
      if (change) state = state.update(change).state
      return notice
    },
    undo: () => undo({ state, dispatch: (transaction) => (state = transaction.state) }),
  }
}

test('all of the text, with the cursor where it was, and one step back', () => {
  const editor = openText('select a,b| from t')
  expect(editor.format()).toBeNull()
  expect(editor.shown()).toBe('select\n  a,\n  b|\nfrom\n  t')
  editor.undo()
  expect(editor.text()).toBe('select a,b from t')
})

test('only what is selected', () => {
  const editor = openText('select  1;\n  |select a from t|;\nselect  2')
  expect(editor.format()).toBeNull()
  expect(editor.shown()).toBe('select  1;\n  |select\n    a\n  from\n    t|;\nselect  2')
})

test('says in which line is what it cannot read, and that there was nothing to do', () => {
  const editor = openText('select\n  1;\n\nselect (2|')
  expect(editor.format()).toContain('line 4')
  expect(editor.text()).toBe('select\n  1;\n\nselect (2')
  expect(openText('select\n  1|').format()).toBe('The text is formatted already.')
})

test('a text that would hold up the page is refused', () => {
  const editor = openText(`|select '${'x'.repeat(LONGEST_FORMATTED)}'`)
  expect(editor.format()).toContain('20,000')
})
