import { expect, type Page } from '@playwright/test'

type Scheme = 'light' | 'dark'

/** One journey is enough for both: wherever it has come to, the page is looked at in light, then in dark, and stays so. */
export async function inBothSchemes(page: Page, look: (scheme: Scheme) => Promise<unknown>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-scheme', colorScheme)
    await look(colorScheme)
  }
}

/** Pictures for the review of a page; none without a directory. */
export async function takePictures(page: Page, directory: string | undefined, name: string): Promise<void> {
  if (directory === undefined) return
  await inBothSchemes(page, (scheme) =>
    page.screenshot({ path: `${directory}/${name}-${scheme}.png`, fullPage: true }),
  )
}
