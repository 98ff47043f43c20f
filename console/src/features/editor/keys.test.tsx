import { fireEvent, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { editorServer, editorView, loadEditor, typeText } from './testing/editor-desk.tsx'
import { ORDERS } from './testing/tab-calls.ts'
import { giveLayout } from './testing/give-layout.ts'
// Loaded by the page automatically, and here before the test starts.
import './results/results.tsx'
import './side.tsx'
import './text/sql-editor.tsx'

giveLayout()

/** How often each was drawn. */
const drawn = vi.hoisted(() => ({ tree: 0, grid: 0, toolbar: 0 }))

vi.mock(import('../../ui/tree/tree.tsx'), async (original) => {
  const { Tree, ...rest } = await original()
  return { ...rest, Tree: (props) => (drawn.tree++, Tree(props)) }
})
vi.mock(import('../../ui/grid/grid.tsx'), async (original) => {
  const { Grid, ...rest } = await original()
  return { ...rest, Grid: (props) => (drawn.grid++, Grid(props)) }
})
vi.mock(import('./toolbar.tsx'), async (original) => {
  const { Toolbar, ...rest } = await original()
  return { ...rest, Toolbar: (props) => (drawn.toolbar++, Toolbar(props)) }
})

beforeEach(() => {
  window.sessionStorage.clear()
  editorServer()
})

test('a key renders the text again, and neither the grid nor the trees nor the toolbar', async () => {
  const page = loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
  const view = await editorView()
  fireEvent.keyDown(view.contentDOM, { key: 'Enter', code: 'Enter', keyCode: 13, ctrlKey: true })
  page.answer()
  await waitFor(() => expect(Math.min(...Object.values(drawn))).toBeGreaterThan(0))
  typeText(view, 's')
  const before = { ...drawn }
  for (const text of ['se', 'sel', 'sele', 'selec', 'select']) typeText(view, text)
  expect(drawn).toEqual(before)
})
