import { expectAccessibleBothWays } from './axe.ts'
import { greeting } from './console-page.ts'
import { expect, signedInTest } from './console-test.ts'

signedInTest.use({ viewport: { width: 1280, height: 720 } })

signedInTest(
  `whatever there is, is found by the palette; what was done is shown as code, in light and dark`,
  async ({ page, product }) => {
    signedInTest.slow()
    const role = 'palette_reader'
    await page.goto(`${product.url}/local-1/${product.accountId}/home`)
    await expect(greeting(page)).toBeVisible()

    await page.keyboard.press('ControlOrMeta+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await expect(palette.getByRole('option', { name: 'SQL editor Page' })).toBeVisible()
    await palette.getByRole('combobox').fill('order')
    await expect(palette.getByRole('option', { name: /^orders/ }).first()).toBeVisible()
    await expectAccessibleBothWays(page, 'the command palette')
    await palette.getByRole('combobox').fill('user & role')
    await expect(palette.getByRole('option', { name: /^User & Role/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'User & Role', level: 1 })).toBeVisible()
    await expect(palette).toBeHidden()

    await page.getByRole('button', { name: 'Create role' }).click()
    await page.getByLabel('Role name').fill(role)
    await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click()
    await expect(page.getByRole('heading', { name: role, level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'As code: your last change' }).click()
    const drawer = page.getByRole('dialog', { name: 'As code' })
    await expect(drawer.getByText(`CREATE ROLE "${role}";`)).toBeVisible()
    await expectAccessibleBothWays(page, 'the drawer with code')
    await drawer.getByText('HTTP call', { exact: true }).click()
    await expect(drawer.getByText(/curl -s .*\/api\/perms\/create-role/)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()

    await page.getByRole('button', { name: /^Notifications/ }).click()
    const notifications = page.getByRole('dialog', { name: 'Notifications' })
    await expect(notifications).toBeVisible()
    await expectAccessibleBothWays(page, 'the notifications')
    await page.keyboard.press('Escape')
    await expect(notifications).toBeHidden()

    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(sheet.getByText('Run all statements')).toBeVisible()
    await expectAccessibleBothWays(page, 'the sheet of shortcuts')
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
  },
)

signedInTest(`the guide opens and is searched, in light and dark [SHELL-62]`, async ({ page, product }) => {
  await page.goto(`${product.url}/local-1/${product.accountId}/home`)
  await page.getByRole('link', { name: /^Help/ }).click()
  await expect(page.getByRole('heading', { name: 'Getting started', level: 1 })).toBeVisible()
  await expectAccessibleBothWays(page, 'the guide')
  await page.getByRole('link', { name: 'Users and roles' }).first().click()
  await expect(page.getByRole('table').first()).toBeVisible()
  await expectAccessibleBothWays(page, 'a page of the guide with tables')
  await page.getByRole('searchbox', { name: 'Search guide' }).fill('rejected rows')
  await expectAccessibleBothWays(page, 'what was found in the guide')
  await page.getByRole('link', { name: 'Catalogs: Loading files' }).click()
  await expect(page.getByRole('heading', { name: 'Loading files' })).toBeInViewport()
})
