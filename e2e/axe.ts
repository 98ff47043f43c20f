import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'
import { expect } from '@playwright/test'
import { inBothSchemes } from './schemes.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

// A colour on its way to another one is not what anybody reads.
const SETTLE = `Promise.all(document.getAnimations()
  .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished.catch(() => undefined)))`

/** What depends on colours; all other rules find the same in light and dark. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

const run = (runOnly: RunOptions['runOnly']): string =>
  `${SETTLE}.then(() => axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })}))
    .then(({ violations }) => JSON.stringify(violations))`

const BY_ALL = run({ type: 'tag', values: STANDARDS })
const BY_COLOURS = run({ type: 'rule', values: COLOUR_RULES })

/** No violation of WCAG, levels A and AA. `what` names the page where one is found. */
export const expectAccessible = (page: Page, what: string): Promise<void> =>
  expectNoViolation(page, BY_ALL, what)

async function expectNoViolation(page: Page, expression: string, what: string): Promise<void> {
  // By the debugger: the page's own Content-Security-Policy lets no script in, and shall not.
  const debug = await page.context().newCDPSession(page)
  try {
    const known = await debug.send('Runtime.evaluate', { expression: `typeof axe` })
    if (known.result.value === 'undefined') await debug.send('Runtime.evaluate', { expression: source })
    const answer = await debug.send('Runtime.evaluate', { expression, awaitPromise: true })
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description)
    const violations = JSON.parse(String(answer.result.value)) as AxeResults['violations']
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id}: ${help}\n  ${node.html.slice(0, 200)}\n  ${node.failureSummary ?? ''}`),
    )
    expect.soft(found, `accessibility of ${what}`).toEqual([])
  } finally {
    await debug.detach()
  }
}

/** In light, and once more by what dark changes. */
export const expectAccessibleBothWays = (page: Page, what: string): Promise<void> =>
  inBothSchemes(page, (scheme) =>
    expectNoViolation(page, scheme === 'light' ? BY_ALL : BY_COLOURS, `${what}, in ${scheme}`),
  )
