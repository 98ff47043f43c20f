import type { Locator, Page } from '@playwright/test'
import { greeting, openEditor } from './console-page.ts'
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
  expect(await sizeOf(bar(page))).toEqual({ width: 1280, height: 56 })
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

test('the side panel of a page that has one is 210 px wide [LIMIT-02, LIMIT-03]', async ({ page }) => {
  await openEditor(page)
  const panel = page.getByRole('region', { name: 'Saved queries' })
  await expect.poll(async () => (await sizeOf(panel))?.width).toBe(210)
})

test('nothing is cut off or scrolls sideways in a small window', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 640 })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
  await expect(page.getByRole('button', { name: /User menu of / })).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Menu width' })).toBeInViewport()
})
