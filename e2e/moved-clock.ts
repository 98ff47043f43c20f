import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BrowserContext, Page } from '@playwright/test'
import { inRepository } from './repository.ts'

/** A clock for the product and its pages that can be put forward, as if the days had passed. */
export async function newClock(start: Date) {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-clock-'))
  const file = join(directory, 'ahead')
  let aheadMs = 0
  async function moveTo(at: Date): Promise<void> {
    aheadMs = at.getTime() - Date.now()
    // In one step: the product reads it at any moment, and an empty file would be no time ahead.
    await writeFile(`${file}.next`, String(aheadMs))
    await rename(`${file}.next`, file)
  }
  await moveTo(start)
  const preload = pathToFileURL(inRepository('e2e/moved-clock.mjs')).href
  return {
    /** The product must be started with it. */
    env: { NODE_OPTIONS: `--import=${preload}`, MOVED_CLOCK: file },
    moveTo,

    /** A page that lives at this time: what it sends is signed with the time of day. */
    async newPage(context: BrowserContext): Promise<Page> {
      const page = await context.newPage()
      await page.addInitScript((ahead) => {
        const RealDate = Date
        globalThis.Date = class extends RealDate {
          constructor(...given: unknown[]) {
            if (given.length === 0) super(RealDate.now() + ahead)
            else super(...(given as [number]))
          }
          static override now(): number {
            return RealDate.now() + ahead
          }
        } as DateConstructor
      }, aheadMs)
      return page
    },

    remove: () => rm(directory, { recursive: true }),
  }
}
