import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'
import { expect } from '@playwright/test'
import { inBothSchemes } from './schemes.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

// A colour on its way to another one is not what anybody reads.
const SETTLE = `Promise.all(document.getAnimations()
  .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished.catch(() => undefined)))`

const RUN = `${SETTLE}.then(() => axe.run(document, ${JSON.stringify({
  runOnly: { type: 'tag', values: STANDARDS },
  resultTypes: ['violations'],
})})).then(({ violations }) => JSON.stringify(violations))`

/** No violation of WCAG, levels A and AA. `what` names the page where one is found. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // By the debugger: the page's own Content-Security-Policy lets no script in, and shall not.
  const debug = await page.context().newCDPSession(page)
  try {
    const known = await debug.send('Runtime.evaluate', { expression: `typeof axe` })
    if (known.result.value === 'undefined') await debug.send('Runtime.evaluate', { expression: source })
    const answer = await debug.send('Runtime.evaluate', { expression: RUN, awaitPromise: true })
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description)
    const violations = JSON.parse(String(answer.result.value)) as AxeResults['violations']
    const told = violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help}\n  ${node.html.slice(0, 200)}\n  ${node.failureSummary ?? ''}`),
    )
    expect.soft(told, `accessibility of ${what}`).toEqual([])
  } finally {
    await debug.detach()
  }
}

/** In light and in dark. */
export const expectAccessibleBothWays = (page: Page, what: string): Promise<void> =>
  inBothSchemes(page, (scheme) => expectAccessible(page, `${what}, in ${scheme}`))
