import { callAs, type Login } from '@boathouse/client'
import { user as userCalls } from '@boathouse/contract'
import type { UserInfo } from '@boathouse/contract/user'
import type { BrowserContext } from '@playwright/test'
import { logIn } from './ask.ts'
import type { Product } from './product.ts'

export type StorageState = Exclude<Parameters<BrowserContext['setStorageState']>[0], string>

/** Somebody who is signed in, for tests that are not about signing in or out. */
interface Person {
  readonly login: Login
  readonly info: UserInfo
}

const people = new WeakMap<Product, Promise<Person>>()

async function signInByCall(product: Product): Promise<Person> {
  const login = await logIn(product)
  return { login, info: await callAs(login, userCalls.info, {}) }
}

/** The user of a product, who signs in once. */
export function personOf(product: Product): Promise<Person> {
  const known = people.get(product) ?? signInByCall(product)
  people.set(product, known)
  return known
}

/** What a browser keeps of a login, as `console/src/lib/session.ts` has it. `url` is where it reaches the product. */
export async function storageOf(product: Product, url = product.url): Promise<StorageState> {
  const { login, info } = await personOf(product)
  const { accountId, region, user } = info
  const kept = {
    user: info,
    account: accountId,
    region,
    loggedAccounts: [{ accountId, region, user }],
    token: login.token,
  }
  const localStorage = Object.entries(kept).map(([name, value]) => ({
    name: `boathouse.${name}`,
    value: JSON.stringify(value),
  }))
  return { cookies: [], origins: [{ origin: new URL(url).origin, localStorage }] }
}
