import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from '@playwright/test'
import { inRepository } from './repository.ts'

// Apart from every start, so that a start is measured as it is once the product is built.
test('the product is built', async () => {
  test.setTimeout(180_000)
  await promisify(execFile)(process.execPath, [inRepository('scripts/build.mjs')])
})
