import type { Browser, BrowserContext, Page } from '@playwright/test'

/** A console in the browser: where it is, and by what its parts are found. */
export interface MeasuredConsole {
  /** The page with an editor that is ready to be written into. */
  readonly url: string
  /** A browser that is signed in and has nothing of the page yet. */
  open(browser: Browser): Promise<BrowserContext>
  /** What has the focus while one writes. */
  readonly input: string
  /** The text that is shown. */
  readonly text: string
  /** Of the rows, the first of which is looked at. */
  readonly cell: string
  /** In place of all that is written. */
  write(page: Page, sql: string): Promise<void>
}

/** As somebody who writes would do it. */
export const writeInto =
  (input: string) =>
  async (page: Page, sql: string): Promise<void> => {
    await page.locator(input).focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(sql)
  }

/** Every run begins with what a browser keeps of a login, and with an empty cache. */
export async function keepLogin(
  browser: Browser,
  signIn: (context: BrowserContext) => Promise<void>,
): Promise<MeasuredConsole['open']> {
  const context = await browser.newContext()
  await signIn(context)
  const storageState = await context.storageState()
  await context.close()
  return (sameBrowser) => sameBrowser.newContext({ storageState, viewport: { width: 1280, height: 800 } })
}
