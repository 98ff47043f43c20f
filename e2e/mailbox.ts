import { expect } from '@playwright/test'
import type { Product } from './product.ts'

/** The newest link to a page that was mailed to somebody: without a mail server the product prints it. */
export async function mailedLink(product: Product, to: string, page: string): Promise<string> {
  const links = () => [...product.stdout().matchAll(/^Mail to (\S+): .*\n {2}(\S+)$/gm)]
  const newest = () =>
    links().findLast(([, whom, link = '']) => whom === to && new URL(link).pathname.endsWith(page))?.[2]
  await expect.poll(newest).toBeTruthy()
  return newest() ?? ''
}
