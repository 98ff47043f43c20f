import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '../../../lib/session.ts'
import { editorServer, editorView, loadEditor } from '../testing/editor-desk.tsx'
import { ORDERS } from '../testing/tab-calls.ts'

let server: ReturnType<typeof editorServer>
beforeEach(() => {
  window.sessionStorage.clear()
  server = editorServer()
})
afterEach(() => session.end())

async function openSnippets(sql: string, selected: number) {
  const page = loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
  const view = await editorView()
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: sql },
    selection: { anchor: 0, head: selected },
  })
  const open = async () => {
    await userEvent.click(screen.getByRole('button', { name: 'More actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Snippets' }))
    return within(await screen.findByRole('dialog'))
  }
  return { page, view, open, dialog: await open() }
}

test('a selection becomes a snippet as it is, under a name that is one word', async () => {
  const { page, dialog } = await openSnippets("select '${x}' from t", 20)
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await userEvent.type(name, 'two words{Enter}')
  expect(await dialog.findByText(/use letters, digits and underscores only/)).toBeTruthy()
  expect(server.callsOf('editor.saveSnippet')).toEqual([])
  await userEvent.clear(name)
  await userEvent.type(name, 'mine{Enter}')
  expect(await dialog.findByRole('cell', { name: 'mine' })).toBeTruthy()
  expect(server.callsOf('editor.saveSnippet')).toMatchObject([
    { name: 'mine', text: String.raw`select '$\{x}' from t` },
  ])
  await userEvent.click(dialog.getByRole('button', { name: 'New snippet' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'mine')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Text' }), 'select 1')
  await userEvent.click(dialog.getByRole('button', { name: 'Save snippet' }))
  // What was typed stays after a refusal.
  expect(await dialog.findByText('Choose another name.')).toBeTruthy()
  expect(dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe('select 1')
  page.leave()
})

test('a snippet is changed, deleted and brought back under its id, and inserted with its fields', async () => {
  const { page, view, open, dialog } = await openSnippets('', 0)
  expect(await dialog.findByText('No snippets yet')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'New snippet' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'top')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Text' }), 'from ${{table}')
  await userEvent.click(dialog.getByRole('button', { name: 'Save snippet' }))
  await userEvent.click(await dialog.findByRole('button', { name: 'Edit snippet top' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Text' }), ' limit ${{count}')
  await userEvent.click(dialog.getByRole('button', { name: 'Save snippet' }))
  await userEvent.click(await dialog.findByRole('button', { name: 'Delete snippet top' }))
  expect(await dialog.findByText('No snippets yet')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Undo' }))
  expect(await dialog.findByRole('cell', { name: 'top' })).toBeTruthy()
  const saves = server.callsOf('editor.saveSnippet') as { snippetId: string }[]
  expect(new Set(saves.map(({ snippetId }) => snippetId)).size).toBe(1)

  await userEvent.keyboard('{Escape}')
  const again = await open()
  await userEvent.click(await again.findByRole('button', { name: 'Insert snippet top' }))
  await waitFor(() => expect(view.state.doc.toString()).toBe('from table limit count'))
  const { from, to } = view.state.selection.main
  expect(view.state.sliceDoc(from, to)).toBe('table')
  page.leave()
})
