import { ask } from './ask.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { results, runSql, openNewQuery } from './console-page.ts'
import { expect, signedInTest } from './console-test.ts'

signedInTest.use({ viewport: { width: 1280, height: 800 } })

signedInTest(
  'a statement shows on the page of its table and on the home page; the matrix of a role grants and revokes on it',
  async ({ page, product }) => {
    signedInTest.slow()
    await ask(product, 'CREATE DATABASE IF NOT EXISTS pages')
    await ask(product, 'CREATE TABLE pages.crews AS SELECT * FROM sample.nation')
    await ask(product, 'CREATE VIEW pages.near AS SELECT * FROM pages.crews WHERE n_regionkey = 3')
    await ask(product, 'CREATE ROLE sailors')
    await openNewQuery(page, product)
    await runSql(page, 'select count(*) as crews from pages.crews')
    await expect(results(page)).toContainText('25')
    const history = page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'History' })
    await history.click()
    await page
      .getByRole('dialog', { name: 'History' })
      .getByRole('row')
      .filter({ hasText: 'pages.crews' })
      .getByRole('link', { name: 'Open result' })
      .click()
    await expect(page.getByRole('complementary')).toContainText('Origin')

    const at = `${product.url}/local-1/${product.accountId}`
    await page.goto(`${at}/home`)
    await page
      .getByRole('region', { name: 'Recent tables' })
      .getByRole('link', { name: 'pages.crews' })
      .click()
    const about = page.getByRole('complementary', { name: 'About crews' })
    await expect(about).toContainText('Owner')
    await expect(about).toContainText('admin')
    await page.getByRole('tab', { name: 'Lineage' }).click()
    await expect(page.getByRole('region', { name: 'Comes from' })).toContainText('sample.nation')
    await expect(page.getByRole('region', { name: 'Goes into' })).toContainText('pages.near')
    await expectAccessibleBothWays(page, 'the lineage of a table')
    await page.getByRole('tab', { name: 'Statements' }).click()
    const statements = page.getByRole('table', { name: 'Statements' })
    await expect(statements).toContainText('select count(*) as crews')
    await expectAccessibleBothWays(page, 'the statements of a table')

    await page.goto(`${at}/admin/access/role/sailors?tab=matrix`)
    await page.getByRole('combobox', { name: 'Database' }).click()
    await page.getByRole('option', { name: 'pages', exact: true }).click()
    const matrix = page.getByRole('table', { name: 'Privileges of sailors in default_catalog.pages' })
    await matrix.getByRole('button', { name: 'SELECT on crews: not granted. Grant' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Effect of this change')
    await dialog.getByRole('button', { name: 'Grant', exact: true }).click()
    const granted = matrix.getByRole('button', { name: 'SELECT on crews: granted. Revoke' })
    await expect(granted).toBeVisible()
    await expectAccessibleBothWays(page, 'the matrix of a role')
    await granted.click()
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await expect(matrix.getByRole('button', { name: 'SELECT on crews: not granted. Grant' })).toBeVisible()
    await ask(product, 'DROP ROLE sailors')
    await ask(product, 'DROP DATABASE pages CASCADE')
  },
)
