import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { greeting, menuLink, newQuery, openEditor } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'

const bar = (page: Page) => page.getByRole('banner')
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' })

const sizeOf = async (element: Locator) => {
  const box = await element.boundingBox()
  return box && { width: box.width, height: box.height }
}

async function chooseMenuMode(page: Page, mode: 'Expand' | 'Collapse' | 'Auto'): Promise<void> {
  await page.getByRole('button', { name: 'Menu width' }).click()
  await page.getByRole('menuitemradio', { name: mode }).click()
}

test.beforeEach(async ({ page, product }) => {
  await page.goto(product.url)
  await expect(greeting(page)).toBeVisible()
})

test('the top bar is 56 px high [LIMIT-01]', async ({ page }) => {
  await expect.poll(() => sizeOf(bar(page))).toEqual({ width: 1280, height: 56 })
})

test('the menu is 194 px wide, 64 px when collapsed, and stays as it was chosen [SHELL-42, SHELL-43, SHELL-44, SHELL-46]', async ({
  page,
}) => {
  const below = 800 - 56
  await chooseMenuMode(page, 'Collapse')
  await expect.poll(() => sizeOf(menu(page))).toEqual({ width: 64, height: below })
  await page.reload()
  await expect.poll(() => sizeOf(menu(page))).toEqual({ width: 64, height: below })
  await chooseMenuMode(page, 'Auto')
  await expect(menu(page)).toBeVisible()
  await chooseMenuMode(page, 'Expand')
  await expect.poll(() => sizeOf(menu(page))).toEqual({ width: 194, height: below })
  await page.reload()
  await expect.poll(() => sizeOf(menu(page))).toEqual({ width: 194, height: below })
})

test('on the editor the menu is narrow automatically, opens over the page and closes again [SHELL-45, SHELL-47]', async ({
  page,
}) => {
  const panel = menu(page).locator('> div')
  const width = () => sizeOf(panel).then((size) => size?.width)
  const isClosed = () => expect.poll(width).toBe(64)
  const isOpen = () => expect.poll(width).toBe(194)
  await openEditor(page)
  const left = async () => (await page.getByRole('main').boundingBox())?.x
  await expect.poll(left).toBe(64)
  // The pointer still rests where the wide menu was: nothing lies over what is clicked next.
  await isClosed()
  await newQuery(page)

  await expectAccessible(page, 'the editor with a narrow menu')

  await menuLink(page, 'SQL editor').hover()
  await isOpen()
  expect(await left()).toBe(64)
  await page.mouse.move(640, 400)
  await isClosed()

  await menuLink(page, 'Home').focus()
  await page.keyboard.press('Tab')
  await isOpen()
  await page.keyboard.press('Escape')
  await isClosed()
  await page.keyboard.press('Tab')
  await isOpen()
  await page.mouse.click(1000, 300)
  await isClosed()

  await menuLink(page, 'Home').click()
  await expect(greeting(page)).toBeVisible()
  await openEditor(page)
  await chooseMenuMode(page, 'Expand')
  await expect.poll(left).toBe(194)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Saved queries' })).toBeVisible()
  await expect.poll(left).toBe(194)
})

test('the narrow menu opens when the pointer has rested on it for 400 ms, not before [SHELL-47]', async ({
  page,
}) => {
  await openEditor(page)
  await page.mouse.move(640, 400)
  const panel = menu(page).locator('> div')
  await expect.poll(async () => (await sizeOf(panel))?.width).toBe(64)
  await page.clock.install()
  // Later than it can be in the page by the time that it hears of this.
  await page.clock.pauseAt(new Date(Date.now() + 15_000))
  await menuLink(page, 'SQL editor').hover()
  await page.clock.runFor(390)
  await expect(panel).not.toHaveAttribute('data-open')
  await page.clock.runFor(20)
  await expect(panel).toHaveAttribute('data-open')
  await expect.poll(async () => (await sizeOf(panel))?.width).toBe(194)
})

test('the side panel of a page that has one is 210 px wide [LIMIT-02, LIMIT-03]', async ({ page }) => {
  await openEditor(page)
  const panel = page.getByRole('region', { name: 'Saved queries' })
  await expect.poll(async () => (await sizeOf(panel))?.width).toBe(210)
})

test('nothing is cut off or scrolls sideways in a small window', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 640 })
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow).toBe(0)
  await expect(page.getByRole('button', { name: /User menu of / })).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Menu width' })).toBeInViewport()
})

test('a start that fails later than it began shows an alert with the message [SHELL-99]', async ({
  browser,
  product,
}) => {
  // One of its own: that the page throws is what this is about.
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(product.url)
  await expect(page.getByRole('alert')).toContainText('Boathouse could not start in this browser: ')
  await expect(page.getByRole('alert')).toContainText('could not be loaded. Reload the page.')
  await page.unroute('**/assets/*.js')
  await page.reload()
  await expect(page.getByLabel('Account ID')).toBeVisible()
  await context.close()
})
