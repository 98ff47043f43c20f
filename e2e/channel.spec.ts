import type { Page } from '@playwright/test'
import { ask } from './ask.ts'
import { failure, openOwnQuery, resultRows, results, runSql, sendSql, sqlText } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { type DataDirectory, preparedDataDirectory } from './data-directory.ts'
import { type Line, openLine } from './line.ts'
import { enginesOf } from './processes.ts'
import { type Product, startProduct } from './product.ts'
import { ENDLESS, SLOW, SLOW_MS } from './slow-sql.ts'

const notSent = (page: Page) => results(page).getByText('Not sent: waiting for the connection')
const lost = (page: Page) => page.getByText(/^The connection was lost while a query was running\./)
const reconnecting = (page: Page) => page.getByText('Reconnecting. You can keep writing.')
const noWarehouse = (page: Page) => page.getByText('No warehouse is running. Run a query to resume one.')
const finished = (page: Page) => results(page).getByText('Finished', { exact: true })

/** The service has the query: its id comes with the first answer, after the connection was prepared. */
const accepted = (page: Page) => page.getByRole('button', { name: 'Copy query ID' })

/** The queries that the page puts on channels opened from now on, by their request ids. */
function watchNewChannels(page: Page): string[] {
  const requestIds: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const message = JSON.parse(String(payload)) as { queryReq?: { requestId: string } }
      if (message.queryReq) requestIds.push(message.queryReq.requestId)
    }),
  )
  return requestIds
}

test.describe('a cut of the line', () => {
  let line: Line
  test.beforeEach(async ({ page, product }) => {
    line = await openLine(product.url)
    await openOwnQuery(page, product, line.url)
    // What comes after the text would not come any more: the page is whole before its line is cut.
    await expect(page.getByRole('combobox', { name: 'Search catalogs' })).toBeVisible()
    await expect(page.getByRole('tree', { name: 'Saved queries' })).toBeVisible()
  })
  test.afterEach(() => line.close())

  /** Answers once the page has noticed both. */
  async function cutAndMend(page: Page): Promise<void> {
    line.cut()
    await expect(lost(page)).toBeVisible()
    line.mend()
    await expect(lost(page)).toBeHidden()
  }

  test('pain 9 and 10: during a statement is shown, and its answer arrives on the next connection [EDITOR-25, CHANNEL-09, CHANNEL-14]', async ({
    page,
  }) => {
    await sendSql(page, SLOW)
    await expect(accepted(page)).toBeVisible()
    const sentAgain = watchNewChannels(page)
    await cutAndMend(page)
    await expect(finished(page)).toBeVisible({ timeout: SLOW_MS })
    await expect.poll(() => resultRows(page)).toEqual([['1']])
    expect(sentAgain).toHaveLength(1)
  })

  test('makes an INSERT be sent again, which runs it once', async ({ page, product }) => {
    await ask(product, 'create table main.once (i bigint)')
    await sendSql(page, `insert into main.once ${SLOW}`)
    await expect(accepted(page)).toBeVisible()
    const sentAgain = watchNewChannels(page)
    await cutAndMend(page)
    await expect(results(page).getByText('1 row inserted.')).toBeVisible({ timeout: SLOW_MS })
    expect(sentAgain).toHaveLength(1)
    expect(await ask(product, 'select count(*) from main.once')).toEqual([['1']])
  })

  test('stops nobody from writing or running; all of it arrives when the line is back [EDITOR-26]', async ({
    page,
  }) => {
    line.cut()
    await expect(reconnecting(page)).toBeVisible()
    await sendSql(page, 'select 6 * 7')
    await expect(notSent(page)).toBeVisible()
    await expect(lost(page)).toBeHidden()
    line.mend()
    await expect(finished(page)).toBeVisible()
    await expect.poll(() => resultRows(page)).toEqual([['42']])
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await page.reload()
    await expect.poll(() => sqlText(page)).toBe('select 6 * 7')
  })

  test('does not move a tab out of its database', async ({ page }) => {
    await runSql(page, 'use sample')
    line.cut()
    await expect(reconnecting(page)).toBeVisible()
    line.mend()
    await runSql(page, 'select count(*) from region')
    await expect.poll(() => resultRows(page)).toEqual([['5']])
  })
})

test('kill -9 of the engine in the middle of a SELECT: it is retried automatically, can be stopped, and the next one runs', async ({
  page,
  product,
}) => {
  const engines = () => enginesOf(product.dataDir).map(({ pid }) => pid)
  await openOwnQuery(page, product)
  await sendSql(page, ENDLESS)
  await expect(accepted(page)).toBeVisible()
  await expect.poll(engines).not.toEqual([])
  // Accounts of other tests have engines too: whichever is this one's, it is among them.
  const killed = engines()
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  await expect.poll(() => engines().filter((pid) => !killed.includes(pid))).not.toEqual([])
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  // While it runs again, or while the engine for that still starts.
  await expect(results(page).getByText(/^Stopped at your request\b/)).toBeVisible()

  await runSql(page, 'select count(*) from sample.region')
  await expect.poll(() => resultRows(page)).toEqual([['5']])
  await expect.poll(() => engines().filter((pid) => killed.includes(pid))).toEqual([])
})

test.describe('kill -9 of the server', () => {
  let directory: DataDirectory
  let own: Product
  test.beforeAll(async () => {
    directory = await preparedDataDirectory()
    own = await startProduct({ dataDir: directory.path })
  })
  test.afterAll(async () => {
    await own.stop()
    await directory.remove()
  })

  /** On the same port, as a process supervisor would. */
  async function startAgain(): Promise<void> {
    const { port } = new URL(own.url)
    own = await startProduct({ dataDir: directory.path, env: { BOATHOUSE_HTTP_PORT: port } })
  }

  test('in the middle of a statement is reported with its effect, and the tab keeps working without a reload [EDITOR-27]', async ({
    page,
  }) => {
    await ask(own, 'create table main.kept as select 1 as i')
    await openOwnQuery(page, own)
    await sendSql(page, `insert into main.kept ${ENDLESS}`)
    // From here on the service has it: before, it would simply be sent again and run.
    await expect(accepted(page)).toBeVisible()
    await own.kill9()
    await expect(lost(page)).toBeVisible()
    await startAgain()
    await expect(failure(page)).toContainText('The service ended while this statement ran')
    await expect(failure(page)).toContainText('It did not take effect, so you can run it again.')
    await expect(noWarehouse(page)).toBeVisible()

    await runSql(page, 'select i from main.kept')
    await expect.poll(() => resultRows(page)).toEqual([['1']])
    await expect(noWarehouse(page)).toBeHidden()
  })
})
