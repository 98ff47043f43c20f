import { test as base, expect } from '@playwright/test'
import { createUser } from './operator.ts'
import { type StorageState, storageOf } from './person.ts'
import { type Product, startProduct } from './product.ts'
import { watchForTrouble } from './trouble.ts'

export { expect }

interface Shared {
  /** A file that sets it has its products to itself, without what other files leave behind. */
  readonly aloneAs: string
  /** Shared by the tests of a worker; a test that stops or kills a product starts its own. */
  readonly product: Product
  /** The same for another user of this name, who is made when first asked for. */
  readonly productAs: (user: string) => Promise<Product>
}

interface SignedIn {
  /** Files that set it have a user of their own, without the queries that others save; `me` is that user's product. */
  readonly asUser: string
  readonly me: Product
  /** What a browser keeps of a login, for tests that are not about signing in or out. */
  readonly signedIn: StorageState
}

const EVERY_ROLE = ['account_admin', 'db_admin', 'cluster_admin']

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
    { scope: 'worker', timeout: 600_000 },
  ],
  productAs: [
    async ({ product }, use) => {
      const made = new Map<string, Promise<Product>>()
      const make = async (name: string) => ({ ...product, ...(await createUser(product, name, EVERY_ROLE)) })
      await use((name) => {
        const one = made.get(name) ?? make(name)
        made.set(name, one)
        return one
      })
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
export const signedInTest = test.extend<SignedIn>({
  asUser: ['', { option: true }],
  me: async ({ asUser, product, productAs }, use) => use(asUser ? await productAs(asUser) : product),
  signedIn: async ({ me }, use) => use(await storageOf(me)),
  storageState: ({ signedIn }, use) => use(signedIn),
})
