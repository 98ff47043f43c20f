import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '../../../lib/session.ts'
import { editorServer, editorView, loadEditor } from '../testing/editor-desk.tsx'
import { ORDERS } from '../testing/tab-calls.ts'

beforeEach(() => {
  window.sessionStorage.clear()
  editorServer()
})
afterEach(() => session.end())

test('a running statement says how many rows it has read, as far as the engine can tell', async () => {
  const page = loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
  const view = await editorView()
  fireEvent.keyDown(view.contentDOM, { key: 'Enter', code: 'Enter', keyCode: 13, ctrlKey: true })
  page.answer({ queryState: 1, fields: [], result: [], progress: 0, progressRows: 0, progressTotalRows: 9e6 })
  expect(screen.queryByText(/rows read/)).toBeNull()
  page.answer({
    queryState: 1,
    fields: [],
    result: [],
    progress: 40,
    progressRows: 1_234_567,
    progressTotalRows: 3_000_002,
  })
  expect(screen.getByText('About 1.2M of 3M rows read')).toBeTruthy()
  page.leave()
})
