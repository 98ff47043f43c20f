import { editor } from '@boathouse/contract'
import type { Browser, Page } from '@playwright/test'
import { callAs } from '@boathouse/client'
import { expectAccessibleBothWays } from './axe.ts'
import { resultRows, sqlEditor, sqlText } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { personOf, storageOf } from './person.ts'
import type { Product } from './product.ts'
import { takePictures } from './schemes.ts'
import { watchForTrouble } from './trouble.ts'

const CLIPBOARD = ['clipboard-read', 'clipboard-write']

test.use({ asUser: 'coxswain', viewport: { width: 1280, height: 720 }, permissions: CLIPBOARD })

const addressOf = ({ url, accountId }: Product, search: Record<string, string>): string =>
  `${url}/local-1/${accountId}/editor?${new URLSearchParams(search)}`

async function newQuery(me: Product, tabName: string, sql: string): Promise<string> {
  const { login } = await personOf(me)
  return (await callAs(login, editor.createTab, { tabName, sql })).tabId
}

/** Another person in another browser. */
async function browserOf(browser: Browser, other: Product) {
  const context = await browser.newContext({
    storageState: await storageOf(other),
    viewport: { width: 1280, height: 720 },
    permissions: CLIPBOARD,
  })
  return { context, page: await context.newPage(), trouble: watchForTrouble(context) }
}

async function openMore(page: Page, entry: string): Promise<void> {
  await page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

async function choose(page: Page, label: string, text: string, option: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true })
  await field.click()
  if (text !== '') await field.fill(text)
  await page.getByRole('option', { name: option, exact: text === '' }).click()
}

const mine = (page: Page) => page.getByRole('tree', { name: 'Shared with me' })

test('a query is shared to be seen, then run, then edited by two, and no more', async ({
  page,
  me,
  browser,
  productAs,
}) => {
  test.slow()
  const name = 'stroke rate'
  const tabId = await newQuery(me, name, 'select 1 as one\n;\nselect 2 as two')
  const other = await productAs('bowman')
  const bow = await browserOf(browser, other)

  await page.goto(addressOf(me, { activeTab: tabId, tabName: name }))
  await expect(sqlEditor(page)).toContainText('as two')
  await openMore(page, 'Share')
  const dialog = page.getByRole('dialog', { name: `Share ${name}` })
  await expect(dialog.getByText('Not shared yet')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Share', exact: true })).toBeDisabled()
  await choose(page, 'User or role', 'bowm', 'bowman')
  await choose(page, 'They may', '', 'See')
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(dialog.getByRole('list', { name: 'Shared with' })).toContainText('bowman')
  await expectAccessibleBothWays(page, 'the dialog that shares a query')
  await takePictures(page, process.env['SHARE_PICTURES'], 'dialog')

  await bow.page.goto(`${me.url}/local-1/${me.accountId}/editor`)
  await bow.page.getByRole('button', { name: 'Shared with me' }).click()
  await mine(bow.page).getByRole('treeitem', { name }).click()
  await expect(
    bow.page.getByText('coxswain shared this query with you to read. You can neither'),
  ).toBeVisible()
  await expect(bow.page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()
  await sqlEditor(bow.page).click()
  await bow.page.keyboard.type('nothing of this')
  await expect(sqlEditor(bow.page)).not.toContainText('nothing of this')
  await expect(sqlEditor(bow.page)).toHaveAttribute('aria-readonly', 'true')
  await expectAccessibleBothWays(bow.page, 'a query that is shared to be read')
  await takePictures(bow.page, process.env['SHARE_PICTURES'], 'see')

  await choose(page, 'What bowman may do', '', 'See and run')
  await expect(bow.page.getByText('coxswain shared this query with you to read and run')).toBeVisible()
  await bow.page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect.poll(() => resultRows(bow.page)).toEqual([['2']])

  await choose(page, 'What bowman may do', '', 'See, run and edit')
  await expect(bow.page.getByText('Your changes are saved for everyone who has it.')).toBeVisible()
  await sqlEditor(bow.page).click()
  await bow.page.keyboard.press('ControlOrMeta+End')
  await bow.page.keyboard.type(' + 40')
  await expect.poll(() => sqlText(page)).toContain('as two + 40')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // Both write at once, one of them cut off for a while: each sees the other, and nothing is lost.
  await sqlEditor(page).click()
  await page.keyboard.press('ControlOrMeta+Home')
  await expect(bow.page.getByRole('status', { name: 'Also in this query' })).toHaveText('coxswain')
  await expect(page.getByRole('status', { name: 'Also in this query' })).toHaveText('bowman')
  await expectAccessibleBothWays(page, 'a query that two are in')
  await takePictures(page, process.env['SHARE_PICTURES'], 'live')
  await bow.context.setOffline(true)
  await bow.page.keyboard.type(' -- of bow')
  await Promise.all([
    page.keyboard.type('-- of cox\n', { delay: 20 }),
    bow.page.keyboard.type(', on the river', { delay: 20 }),
  ])
  await bow.context.setOffline(false)
  await Promise.all([
    page.keyboard.type('-- at the oar\n', { delay: 40 }),
    bow.page.keyboard.type(', all day', { delay: 40 }),
  ])
  const both =
    '-- of cox\n-- at the oar\nselect 1 as one\n;\nselect 2 as two + 40 -- of bow, on the river, all day'
  for (const one of [page, bow.page]) await expect.poll(() => sqlText(one)).toBe(both)
  await expect(bow.page.getByText('Saved', { exact: true })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  // One's own last change, and not that of the other.
  for (const one of [page, bow.page]) await expect.poll(() => sqlText(one)).toBe(both.replace('oar\n', 'oar'))
  await page.keyboard.press('ControlOrMeta+Shift+z')

  // A link to a line, which the other opens; what is no longer shared is kept where it was written.
  await sqlEditor(page).getByText('select 2').click()
  await openMore(page, 'Copy link to line')
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(clipboard).toContain('line=')
  const link = await clipboard()
  await bow.page.goto(link)
  await expect(bow.page.getByText(`Ln ${new URL(link).searchParams.get('line')}, Col 1`)).toBeVisible()
  await openMore(page, 'Share')
  await page.getByRole('button', { name: 'Stop sharing with bowman' }).click()
  await expect(dialog.getByText('Not shared yet')).toBeVisible()
  await expect(bow.page.getByText('as two + 40')).toBeHidden()
  await bow.page.goto(link)
  await expect(bow.page.getByRole('heading', { name: 'You do not have access to this query' })).toBeVisible()
  await expectAccessibleBothWays(bow.page, 'a link to a query without access')
  await takePictures(bow.page, process.env['SHARE_PICTURES'], 'refused')
  expect(bow.trouble).toEqual([])
  await bow.context.close()
})

test('a comment on a line is answered by another, stays with its line, and is resolved', async ({
  page,
  me,
  browser,
  productAs,
}) => {
  test.slow()
  const name = 'rigging'
  const tabId = await newQuery(me, name, 'select 1 as one\n;\nselect 2 as two')
  const { login } = await personOf(me)
  await callAs(login, editor.share, {
    of: { kind: 'query', id: tabId },
    partner: { kind: 'user', name: (await personOf(await productAs('bowman'))).info.user },
    level: 'see',
  })
  const bow = await browserOf(browser, await productAs('bowman'))
  for (const one of [page, bow.page]) {
    await one.goto(addressOf(me, { activeTab: tabId, tabName: name }))
    await expect(sqlEditor(one)).toContainText('as two')
  }
  await sqlEditor(page).getByText('select 2').click()
  await openMore(page, 'Comments')
  const comments = page.getByRole('region', { name: 'Comments' })
  await comments.getByRole('textbox', { name: 'Comment on line 3' }).fill('Why two?')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(comments.getByRole('button', { name: 'Line 3' })).toBeVisible()
  await expectAccessibleBothWays(page, 'comments on a query')
  await takePictures(page, process.env['SHARE_PICTURES'], 'comments')

  await bow.page.getByRole('button', { name: '1 comment' }).click()
  const theirs = bow.page.getByRole('region', { name: 'Comments' })
  await theirs.getByRole('button', { name: 'Answer' }).click()
  await theirs.getByRole('textbox', { name: 'Your answer' }).fill('One for each oar.')
  await theirs.getByRole('button', { name: 'Answer' }).click()
  await expect(comments.getByText('One for each oar.')).toBeVisible()
  // Who only sees a query resolves their own comments, and no others.
  await expect(theirs.getByRole('button', { name: 'Resolve' })).toBeHidden()

  await sqlEditor(page).click()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('-- above\n')
  for (const one of [comments, theirs])
    await expect(one.getByRole('button', { name: 'Line 4' })).toBeVisible()
  await comments.getByRole('button', { name: 'Resolve' }).click()
  for (const one of [comments, theirs]) await expect(one.getByText(/^No open comments/)).toBeVisible()
  expect(bow.trouble).toEqual([])
  await bow.context.close()
})
