import { activity } from '../console/src/i18n/en/activity.ts'
import { statement } from '../console/src/i18n/en/statement.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { menuLink, openNewQuery, runSql, sqlEditor } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { ENDLESS_ON_TABLES } from './slow-sql.ts'

const PROFILED = `select n_name, count(*) from sample.nation group by all order by 1`
const joined = (name: string): string =>
  `select count(*) as ${name} from sample.region join sample.nation on r_regionkey = n_regionkey`

test('what runs is seen and killed, what has run is found and opened, in light and dark [SHELL-19, SHELL-20, ACT-01, ACT-02]', async ({
  page,
  product,
}) => {
  test.slow()
  await openNewQuery(page, product)
  await runSql(page, 'set enable_profile = true')
  await runSql(page, PROFILED)
  await runSql(page, `explain ${joined('the_plan')}`)
  const plan = page.getByRole('table', { name: statement.plan.label })
  await expect(plan).toContainText(statement.plan.means.join)
  await runSql(page, `select nowhere_at_all\nfrom sample.nation`)
  await sqlEditor(page).fill(ENDLESS_ON_TABLES)
  await page.getByRole('button', { name: 'Run', exact: true }).click()

  await menuLink(page, activity.title).click()
  const running = page.getByRole('table', { name: activity.running })
  await expect(running).toContainText('sample.orders')
  await expectAccessibleBothWays(page, 'the activity while something runs')

  await running.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: activity.stopConfirm }).click()
  // The channel notifies the page; nothing is reloaded.
  await expect(page.getByText(activity.noneRunning)).toBeVisible()
  const history = page.getByRole('table', { name: activity.history })
  await expect(history.getByRole('row').nth(1)).toContainText('Stopped')

  await page.getByLabel(activity.search).fill('nowhere_at_all')
  await expect(history.getByRole('row')).toHaveCount(2)
  await expect.poll(() => new URL(page.url()).searchParams.get('text')).toBe('nowhere_at_all')
  await page.getByLabel(activity.search).fill('not found')
  await expect(page.getByRole('heading', { name: activity.nothingFound.title })).toBeVisible()
  await page.getByRole('button', { name: activity.filter.reset }).first().click()

  await page.getByLabel(activity.search).fill('nowhere_at_all')
  // Before it is narrowed, the first one is another.
  await expect(history.getByRole('row')).toHaveCount(2)
  await history.getByRole('link').first().click()
  await expect(page.getByText('Line 1, column 8', { exact: false })).toBeVisible()
  await expectAccessibleBothWays(page, 'the detail of a failed statement')

  await menuLink(page, activity.title).click()
  await page.getByLabel(activity.search).fill('group by all')
  await expect(history.getByRole('link').first()).toContainText('group by all')
  await history.getByRole('link').first().click()
  await expect(plan).toContainText(/scan/i)
  await expect(plan).toContainText(statement.plan.slowest)
  await expect(plan).toContainText(statement.plan.means.aggregate)
  await expect(plan).not.toContainText('__internal')
  await expect(page.getByRole('table', { name: activity.detail.result })).toContainText('ALGERIA')
  // The editor asked for it before it was counted.
  await expect(page.getByText('Share of default_warehouse')).toBeVisible()
  await expectAccessibleBothWays(page, 'the detail of a statement')

  await menuLink(page, activity.title).click()
  await page.getByLabel(activity.search).fill('the_plan')
  await expect(history.getByRole('row')).toHaveCount(2)
  await expect(history.getByRole('link').first()).toContainText('the_plan')
  await history.getByRole('link').first().click()
  await expect(plan).toContainText(statement.plan.estimatedRows)
  await page.getByRole('radio', { name: statement.plan.text }).check({ force: true })
  await expect(page.getByRole('figure', { name: statement.plan.label })).toContainText('┌')
  await expectAccessibleBothWays(page, 'the plan of an explained statement')

  await page.getByRole('button', { name: activity.detail.openInEditor }).click()
  await expect(sqlEditor(page)).toContainText('explain')
})
