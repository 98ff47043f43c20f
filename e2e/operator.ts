import { expect } from '@playwright/test'
import { boathouse } from './command.ts'
import type { Product } from './product.ts'

/** Runs `boathouse …` as the operator, through the running server; returns the JSON that it printed. */
export async function operator<T>({ dataDir }: Product, ...words: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await boathouse([...words, '--json'], {
    env: { BOATHOUSE_DATA_DIR: dataDir },
  })
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as T
}

interface Password {
  readonly password: string
}

/** Somebody of the product's first account. */
export async function createUser(product: Product, user: string, roles: readonly string[]) {
  const { accountId } = product
  const words = ['user', 'create', accountId, user, '--roles', roles.join(',')]
  const { password } = await operator<Password>(product, ...words)
  return { user, password }
}

/** All their logins end at once, and they have another password. */
export async function resetPassword(product: Product, user: string) {
  const words = ['user', 'reset-password', product.accountId, user]
  const { password } = await operator<Password>(product, ...words)
  return { user, password }
}
