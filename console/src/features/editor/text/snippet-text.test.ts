import { snippet } from '@codemirror/autocomplete'
import { EditorState, type Transaction } from '@codemirror/state'
import { expect, test } from 'vitest'
import { snippetOf } from './snippet-text.ts'

function inserted(template: string): string {
  let state = EditorState.create()
  const dispatch = (transaction: Transaction) => void (state = transaction.state)
  snippet(template)({ state, dispatch }, null, 0, 0)
  return state.doc.toString()
}

test.each([
  'select 1',
  "select '${name}', '#{1:a}', '{}', '$', '{{param}}'",
  String.raw`select '\{', '$\{a}', '\\}', '\'`,
  'select\n  a,\n  b\nfrom t',
])('a selection comes back as it was: %s', (sql) => expect(inserted(snippetOf(sql))).toBe(sql))
