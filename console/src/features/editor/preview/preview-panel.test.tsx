import { screen, waitFor } from '@testing-library/react'
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

async function openPreview() {
  const page = loadEditor({ address: `/?activeTab=${ORDERS}&tabName=Orders` })
  const view = await editorView()
  await userEvent.click(screen.getByRole('button', { name: /^Preview while you write/ }))
  const write = (text: string) =>
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 3 } })
  return { page, write }
}

const asked = () => server.callsOf('query.preview')

test('a suspended warehouse is resumed by its button, and by nothing else', async () => {
  server.state.warehouse = 'Suspended'
  const { page, write } = await openPreview()
  await screen.findByText(/The warehouse is suspended/)
  write('select 5')
  await waitFor(() => expect(asked()).toHaveLength(2))
  await userEvent.click(await screen.findByRole('button', { name: 'Resume and preview' }))
  expect(await screen.findByText(/^1 row/)).toBeTruthy()
  expect(asked()).toMatchObject([
    { sql: 'select 1', resumes: false },
    { sql: 'select 5', resumes: false },
    { sql: 'select 5', resumes: true },
  ])
  page.leave()
})

test('what is wrong with a statement is said in its place, and what cannot be previewed is not sent', async () => {
  const { page, write } = await openPreview()
  expect(await screen.findByText(/^1 row/)).toBeTruthy()
  write('select half')
  expect(await screen.findByText('Not yet: select half')).toBeTruthy()
  write('drop table t')
  expect(await screen.findByText(/This statement changes something/)).toBeTruthy()
  write('select :year')
  expect(await screen.findByText('Give year a value above to see a preview.')).toBeTruthy()
  expect(asked()).toMatchObject([{ sql: 'select 1' }, { sql: 'select half' }])
  page.leave()
})
