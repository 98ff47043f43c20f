import { expect, test } from './console-test.ts'

// In one worker, one after the other: the second has the browser that the first has used.
test.describe.configure({ mode: 'serial' })

const leftBehind = async () => ({
  local: localStorage.getItem('left'),
  session: sessionStorage.getItem('left'),
  cookie: document.cookie,
  databases: (await indexedDB.databases()).map(({ name }) => name),
  script: Reflect.has(window, 'leftByScript'),
  isDark: matchMedia('(prefers-color-scheme: dark)').matches,
  width: innerWidth,
})

test('a journey leaves a window, storage, scripts, routes and another look behind', async ({
  page,
  context,
  product,
}) => {
  await context.addInitScript(() => Reflect.set(window, 'leftByScript', true))
  await context.route('**/assets/*.css', (route) => route.abort())
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 600, height: 600 })
  await page.goto(product.url)
  await page.evaluate(async () => {
    localStorage.setItem('left', 'here')
    sessionStorage.setItem('left', 'here')
    document.cookie = 'left=here'
    await new Promise((resolve) => (indexedDB.open('left').onsuccess = resolve))
  })
  const other = await context.newPage()
  await other.goto(product.url)
  expect(await page.evaluate(leftBehind)).toEqual({
    local: 'here',
    session: 'here',
    cookie: 'left=here',
    databases: ['left'],
    script: true,
    isDark: true,
    width: 600,
  })
})

test('the next journey finds none of it', async ({ page, context, product }) => {
  expect(context.pages()).toEqual([page])
  await page.goto(product.url)
  await expect(page.getByLabel('Account ID')).toBeVisible()
  expect(await page.evaluate(leftBehind)).toEqual({
    local: null,
    session: null,
    cookie: '',
    databases: [],
    script: false,
    isDark: false,
    width: 1280,
  })
})
