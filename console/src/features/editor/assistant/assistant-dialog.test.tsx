import { screen, within } from '@testing-library/react'
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

async function openAssistant() {
  const page = loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
  const view = await editorView()
  const toolbar = screen.getByRole('toolbar', { name: 'Query' })
  await userEvent.click(within(toolbar).getByRole('button', { name: 'More actions' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Ask the assistant' }))
  return { page, view, dialog: await screen.findByRole('dialog', { name: 'Ask the assistant' }) }
}

const sent = () => server.callsOf('assistant.ask')

test('without an assistant the dialog says so, and that nothing is sent', async () => {
  const { page, dialog } = await openAssistant()
  expect(await within(dialog).findByText('No assistant is configured')).toBeTruthy()
  expect(within(dialog).queryByRole('button', { name: /^Send/ })).toBeNull()
  page.leave()
})

test('what is sent is shown first, can be changed, and is sent when that is confirmed', async () => {
  server.state.assistant = { host: 'models.example.com', model: 'small-one' }
  const { page, view, dialog } = await openAssistant()
  const text = await within(dialog).findByRole<HTMLTextAreaElement>('textbox', { name: 'Text to send' })
  expect(text.value).toBe('Statement:\nselect 1')
  expect(dialog.textContent).toContain('Exactly this is sent to small-one at models.example.com.')
  expect(sent()).toEqual([])
  await userEvent.type(text, ' please')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Send to models.example.com' }))
  const answer = await within(dialog).findByRole('region', { name: 'Answer' })
  expect(answer.textContent).toContain('You wrote 26 characters.')
  expect(sent()).toEqual([{ task: 'statement', text: 'Statement:\nselect 1 please' }])
  await userEvent.click(within(answer).getByRole('button', { name: 'Insert SQL' }))
  expect(view.state.doc.toString()).toContain('select 42')
  page.leave()
})

test('a draft is asked for with the tables of the database, unless they are left out', async () => {
  server.state.assistant = { host: 'models.example.com', model: 'small-one' }
  const { page, dialog } = await openAssistant()
  await userEvent.click(await within(dialog).findByRole('radio', { name: 'Write a statement' }))
  const send = within(dialog).getByRole<HTMLButtonElement>('button', { name: /^Send to/ })
  expect(send.disabled).toBe(true)
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Question' }), 'How many?')
  await userEvent.click(within(dialog).getByRole('checkbox', { name: /^Add tables of/ }))
  const text = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Text to send' })
  expect(text.value).toBe('Question:\nHow many?')
  await userEvent.click(send)
  await within(dialog).findByRole('region', { name: 'Answer' })
  expect(sent()).toEqual([{ task: 'draft', text: 'Question:\nHow many?' }])
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Explain the error' }))
  expect(dialog.textContent).toContain('The last run of this query did not fail.')
  page.leave()
})
