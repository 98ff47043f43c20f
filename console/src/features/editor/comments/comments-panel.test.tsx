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

const panel = () => screen.findByRole('region', { name: 'Comments' })

async function openComments() {
  const page = loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
  const view = await editorView()
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: 'select 1\nfrom boats' },
    selection: { anchor: 12 },
  })
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Comments' }))
  return { page, view }
}

test('a comment is about the line of the cursor, and keeps its text until it is saved', async () => {
  const { page, view } = await openComments()
  const field = await within(await panel()).findByRole('textbox', { name: 'Comment on line 2' })
  server.state.refusesComments = true
  await userEvent.type(field, 'Which boats?')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(server.callsOf('editor.addComment')).toHaveLength(1))
  await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe('Which boats?'))
  server.state.refusesComments = false
  await waitFor(async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Comment' }))
    expect(await within(await panel()).findByText('Which boats?', { selector: 'p' })).toBeTruthy()
  })
  const [first, second] = server.callsOf('editor.addComment') as { commentId: string }[]
  expect(second).toMatchObject({ commentId: first?.commentId, line: 2, quote: 'from boats', replyTo: null })
  // The key that sends a comment runs nothing.
  expect(server.callsOf('query.preview')).toEqual([])
  view.dispatch({ changes: { from: 0, insert: '-- above\n' } })
  expect(await within(await panel()).findByRole('button', { name: 'Line 3' })).toBeTruthy()
  page.leave()
})

test('a discussion is answered, resolved and deleted', async () => {
  const { page } = await openComments()
  const inPanel = within(await panel())
  await userEvent.type(await inPanel.findByRole('textbox', { name: /^Comment on line/ }), 'Why?')
  await userEvent.click(inPanel.getByRole('button', { name: 'Comment' }))
  await userEvent.click(await inPanel.findByRole('button', { name: 'Answer' }))
  await userEvent.type(inPanel.getByRole('textbox', { name: 'Your answer' }), 'Because.')
  await userEvent.click(inPanel.getByRole('button', { name: 'Answer' }))
  expect(await inPanel.findByText('Because.', { selector: 'p' })).toBeTruthy()
  await userEvent.click(inPanel.getByRole('button', { name: 'Resolve' }))
  await waitFor(() => expect(inPanel.queryByText('Why?')).toBeNull())
  await userEvent.click(inPanel.getByRole('checkbox', { name: 'Show 1 resolved' }))
  const [bin] = inPanel.getAllByRole('button', { name: /^Delete comment of/ })
  if (!bin) throw new Error('There is nothing to delete it with.')
  await userEvent.click(bin)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete comment' }))
  await waitFor(() => expect(inPanel.queryByText('Why?')).toBeNull())
  expect(inPanel.getByText(/^No open comments/)).toBeTruthy()
  page.leave()
})
