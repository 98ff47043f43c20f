import { currentCompletions } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { EditorView, runScopeHandlers } from '@codemirror/view'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { writeKept } from '../../../lib/kept.ts'
import { giveLayout } from '../testing/give-layout.ts'
import type { NameCache, NamedThing } from './name-cache.ts'
import { sqlCompletion } from './sql-completion.ts'
// Loaded with the first key or snippet, and here before the clock stands still.
import './completion-source.ts'
import './snippet-offers.ts'

giveLayout()
// jsdom has no layout, and the editor asks for it after a change.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const named = (name: string): NamedThing => ({ name, detail: '' })

const NAMES: NameCache = {
  place: () => ({ catalog: 'default_catalog', database: 'main' }),
  catalogs: async () => [],
  databases: async () => [named('sample')],
  tables: async () => [named('orders'), named('oars')],
  columns: async () => [],
  found: async () => [],
  snippets: async () => [],
}

function openText(doc: string, names: NameCache) {
  const selection = { anchor: doc.length }
  const state = EditorState.create({ doc, selection, extensions: sqlCompletion(names) })
  const view = new EditorView({ state, parent: document.body })
  onTestFinished(() => view.destroy())
  view.focus()
  return {
    view,
    type: (text: string) => {
      const { head } = view.state.selection.main
      const anchor = head + text.length
      view.dispatch({ changes: { from: head, insert: text }, selection: { anchor }, userEvent: 'input.type' })
    },
    press: (key: 'Tab' | 'Enter') => runScopeHandlers(view, new KeyboardEvent('keydown', { key }), 'editor'),
    offered: () => currentCompletions(view.state).map(({ label }) => label),
  }
}

test('what is typed while names are loaded is completed once they are known', async () => {
  let load = () => {}
  const loaded = new Promise<void>((resolve) => (load = resolve))
  const tables = vi.fn<NameCache['tables']>(async (_catalog, database) => {
    await loaded
    return database === 'sample' ? [named('orders')] : []
  })
  const { type, offered } = openText('select * from sampl', { ...NAMES, tables })
  type('e')
  await vi.advanceTimersByTimeAsync(200)
  // A name that is complete is nothing to offer.
  expect(tables).toHaveBeenCalledOnce()
  for (const key of '.ord') type(key)
  load()
  await vi.advanceTimersByTimeAsync(400)
  expect(offered()).toEqual(['orders'])
})

test('what is known is offered while columns are loaded, and the columns when they are there', async () => {
  let load = () => {}
  const loaded = new Promise<void>((resolve) => (load = resolve))
  const columns = vi.fn<NameCache['columns']>(() => loaded.then(() => [named('oar_id')]))
  const { type, offered } = openText('select * from oars o where ', { ...NAMES, columns })
  type('o')
  await vi.advanceTimersByTimeAsync(200)
  expect(offered()).toContain('o')
  expect(offered()).not.toContain('oar_id')
  load()
  await vi.advanceTimersByTimeAsync(200)
  expect(offered()[0]).toBe('oar_id')
})

test('names that cannot be loaded are not asked for again and again', async () => {
  const columns = vi.fn<NameCache['columns']>(
    () => new Promise((resolve) => setTimeout(() => resolve([]), 60)),
  )
  const { type } = openText('select * from oars o where ', { ...NAMES, columns })
  type('o')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(columns.mock.calls.length).toBeLessThanOrEqual(4)
})

test.each([
  ['tab', 'orders', 'ord'],
  ['enter', 'ord', 'orders'],
  ['both', 'orders', 'orders'],
])('with %s, Tab writes %s and Enter writes %s', async (keys, byTab, byEnter) => {
  writeKept('completion-keys', keys)
  onTestFinished(() => window.localStorage.clear())
  for (const [key, expected] of [
    ['Tab', byTab],
    ['Enter', byEnter],
  ] as const) {
    const { view, type, press, offered } = openText('select * from or', NAMES)
    type('d')
    await vi.advanceTimersByTimeAsync(200)
    expect(offered()).toEqual(['orders'])
    press(key)
    expect(view.state.doc.toString()).toBe(`select * from ${expected}`)
  }
})

test('a list that opened without a word leaves Enter alone', async () => {
  writeKept('completion-keys', 'both')
  onTestFinished(() => window.localStorage.clear())
  const { view, type, press, offered } = openText('select * from', NAMES)
  type(' ')
  await vi.advanceTimersByTimeAsync(200)
  expect(offered()).toContain('orders')
  press('Enter')
  expect(view.state.doc.toString()).toBe('select * from ')
})

test('a snippet is taken by its name, and Tab moves through its fields', async () => {
  const text = 'select * from ${table} limit ${count}'
  const snippets = async () => [{ snippetId: 'a', name: 'top', text }]
  const { view, type, press, offered } = openText('to', { ...NAMES, snippets })
  type('p')
  await vi.advanceTimersByTimeAsync(200)
  expect(offered()).toContain('top')
  press('Tab')
  expect(view.state.doc.toString()).toBe('select * from table limit count')
  const selected = () => {
    const { from, to } = view.state.selection.main
    return view.state.sliceDoc(from, to)
  }
  expect(selected()).toBe('table')
  type('')
  press('Tab')
  expect(selected()).toBe('count')
})
