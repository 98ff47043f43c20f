import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { newDataDirectory, PREPARED } from './data-directory.ts'
import { startProduct } from './product.ts'
import { inRepository } from './repository.ts'

/**
 * Before the first test: the product is built, so that no start is measured with the build in it, and makes one data
 * directory that the products of the tests begin with copies of.
 */
export default async function prepare(): Promise<() => Promise<void>> {
  await promisify(execFile)(process.execPath, [inRepository('scripts/build.mjs')])
  const directory = await newDataDirectory('prepared')
  try {
    const product = await startProduct({ dataDir: directory.path })
    await product.stop()
  } catch (error) {
    await directory.remove()
    throw error
  }
  process.env[PREPARED] = directory.path
  return () => directory.remove()
}
