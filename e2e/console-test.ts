import { type BrowserContext, test as base, expect } from '@playwright/test'
import { signIn } from './console-page.ts'
import { type Product, startProduct } from './product.ts'
import { watchForTrouble } from './trouble.ts'

export { expect }

interface Shared {
  /** A file that sets it has its products to itself, without what other files leave behind. */
  readonly aloneAs: string
  /** Shared by the tests of a worker; a test that stops or kills a product starts its own. */
  readonly product: Product
  /** What a browser keeps of a login, for tests that are not about signing in or out. */
  readonly signedIn: StorageState
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** A test in a browser. A page that throws, or that tries what it may not, fails its test. */
export const test = base.extend<object, Shared>({
  // Playwright gives tests with another value a worker, and so a product, of their own.
  aloneAs: ['', { scope: 'worker', option: true }],
  product: [
    // Playwright reads from this pattern what a fixture needs.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const product = await startProduct()
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  signedIn: [
    async ({ browser, product }, use) => {
      const context = await browser.newContext()
      await signIn(await context.newPage(), product)
      const state = await context.storageState()
      await context.close()
      await use(state)
    },
    { scope: 'worker' },
  ],
  context: async ({ context }, use) => {
    const trouble = watchForTrouble(context)
    await use(context)
    expect(trouble).toEqual([])
  },
})

/** A test that begins after sign-in. */
export const signedInTest = test.extend({
  storageState: ({ signedIn }, use) => use(signedIn),
})
