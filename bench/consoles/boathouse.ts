import { callAs } from '@boathouse/client'
import { editor } from '@boathouse/contract'
import type { Browser } from '@playwright/test'
import type { Workshop } from '../workshop.ts'
import { keepLogin, type MeasuredConsole, writeInto } from './measured-console.ts'

const INPUT = '.cm-content'

export async function boathouseConsole(
  { running, login }: Workshop,
  browser: Browser,
): Promise<MeasuredConsole> {
  const { url, accountId, username, password } = running.signIn
  await callAs(login, editor.createTab, { tabName: 'measured', folderId: '' })
  const open = await keepLogin(browser, async (context) => {
    const page = await context.newPage()
    await page.goto(url)
    await page.getByLabel('Account ID').fill(accountId)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('User name').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor()
  })
  return {
    url: `${url}/local-1/${accountId}/editor`,
    open,
    input: INPUT,
    text: '.cm-line',
    cell: '[role=gridcell]',
    write: writeInto(INPUT),
  }
}
