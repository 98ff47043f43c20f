import { ClientMessage, SIGNED_HEADERS } from '@boathouse/contract'
import type { Page } from '@playwright/test'
import { grid, runSql, sendSql, signInToEditor } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { ENDLESS } from './slow-sql.ts'

/** Everything that the page says to the service, from now on. */
function listenIn(page: Page) {
  const messages: ClientMessage[] = []
  const calls: { readonly path: string; readonly isSigned: boolean }[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => messages.push(ClientMessage.parse(JSON.parse(String(payload))))),
  )
  page.on('request', (request) => {
    if (!['fetch', 'xhr', 'ping', 'eventsource'].includes(request.resourceType())) return
    const headers = request.headers()
    calls.push({
      path: new URL(request.url()).pathname,
      isSigned: [SIGNED_HEADERS.nonce, SIGNED_HEADERS.timestamp, SIGNED_HEADERS.signature].every(
        (name) => name in headers,
      ),
    })
  })
  return { messages, calls }
}

test('the channel carries queries, and every other action is a signed call [CHANNEL-01, CHANNEL-02]', async ({
  page,
  product,
}) => {
  const { messages, calls } = listenIn(page)
  await signInToEditor(page, product)
  await runSql(page, 'select 42 as answer')
  await expect(grid(page)).toBeVisible()
  await sendSql(page, ENDLESS)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  const made = () => calls.map(({ path }) => path)
  for (const path of ['/user/login', '/editor/create-tab', '/editor/update-sql', '/editor/kill'])
    await expect.poll(made).toContain(`/api${path}`)

  // Beside queries only signs of life; not even the stop.
  expect(messages.filter(({ cmd }) => cmd !== 1 && cmd !== 2)).toEqual([])
  const texts = messages.flatMap((message) => (message.cmd === 2 ? [message.queryReq.sql] : []))
  expect(texts).toContain('select 42 as answer')
  expect(calls.filter(({ path, isSigned }) => !isSigned || !path.startsWith('/api/'))).toEqual([])
})
