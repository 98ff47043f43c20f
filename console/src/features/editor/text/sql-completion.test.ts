import { currentCompletions } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type NameCache, type NamedThing, sqlCompletion } from './sql-completion.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const named = (name: string): NamedThing => ({ name, detail: '' })

test('what is typed while names are loaded is completed once they are known', async () => {
  let load = () => {}
  const loaded = new Promise<void>((resolve) => (load = resolve))
  const tables = vi.fn<NameCache['tables']>(async (_catalog, database) => {
    await loaded
    return database === 'sample' ? [named('orders')] : []
  })
  const names = {
    place: () => ({ catalog: 'default_catalog', database: 'main' }),
    catalogs: async () => [],
    databases: async () => [named('sample')],
    tables,
    columns: async () => [],
  }
  const doc = 'select * from sampl'
  const state = EditorState.create({
    doc,
    selection: { anchor: doc.length },
    extensions: sqlCompletion(names),
  })
  const view = new EditorView({ state, parent: document.body })
  const type = (text: string) => {
    const { head } = view.state.selection.main
    const selection = { anchor: head + text.length }
    view.dispatch({ changes: { from: head, insert: text }, selection, userEvent: 'input.type' })
  }
  type('e')
  await vi.advanceTimersByTimeAsync(200)
  // A name that is complete is nothing to offer.
  expect(tables).toHaveBeenCalledOnce()
  for (const key of '.ord') type(key)
  load()
  await vi.advanceTimersByTimeAsync(200)
  expect(currentCompletions(view.state).map(({ label }) => label)).toEqual(['orders'])
  view.destroy()
})
