import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DataDirectory, newDataDirectory, PREPARED } from './data-directory.ts'
import { startProduct } from './product.ts'
import { inRepository } from './repository.ts'

/** `npm test` names a folder for both of its steps in a browser, and removes it: the data are made once. */
const SHARED_FOLDER = 'BOATHOUSE_TEST_SHARED_FOLDER'

const inSharedFolder = (folder: string): DataDirectory => ({
  path: join(folder, 'prepared'),
  remove: async () => undefined,
})

async function make({ path }: DataDirectory): Promise<void> {
  if (existsSync(path)) return
  try {
    const product = await startProduct({ dataDir: path })
    await product.stop()
  } catch (error) {
    await rm(path, { recursive: true, force: true })
    throw error
  }
}

/**
 * Before the first test: the product is built, so that no start is measured with the build in it, and makes one data
 * directory that the products of the tests begin with copies of.
 */
export default async function prepare(): Promise<() => Promise<void>> {
  await promisify(execFile)(process.execPath, [inRepository('scripts/build.mjs')])
  const folder = process.env[SHARED_FOLDER]
  const directory = folder === undefined ? await newDataDirectory('prepared') : inSharedFolder(folder)
  try {
    await make(directory)
  } catch (error) {
    await directory.remove()
    throw error
  }
  process.env[PREPARED] = directory.path
  return () => directory.remove()
}
