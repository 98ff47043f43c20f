import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { expect, onTestFinished, test } from 'vitest'

function openEditor(extensions: Extension): EditorView {
  const view = new EditorView({ parent: document.body, extensions })
  onTestFinished(() => view.destroy())
  return view
}

const ruleCount = (): number =>
  [...document.styleSheets].reduce((sum, { cssRules }) => sum + cssRules.length, 0)

test('an editor knows whether it wraps its lines', () => {
  expect(getComputedStyle(openEditor([]).contentDOM).whiteSpace).toBe('pre')
  expect(getComputedStyle(openEditor(EditorView.lineWrapping).contentDOM).whiteSpace).toBe('break-spaces')
})

test('another theme leaves no more rules to match than before', () => {
  openEditor([])
  const before = ruleCount()
  openEditor(EditorView.theme({ '.cm-line': { color: 'red' } }))
  expect(ruleCount()).toBe(before)
})
