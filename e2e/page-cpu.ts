import type { Page } from '@playwright/test'

/**
 * Milliseconds for which the page's own thread had a processor while something was done. What else the machine had to do
 * is not in it, so that a test may depend on it where it may not depend on the clock.
 */
export async function cpuWhile(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const threadMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN)
  }
  await session.send('Performance.enable')
  try {
    const before = await threadMs()
    await work()
    return (await threadMs()) - before
  } finally {
    await session.detach()
  }
}

const ROUNDS = 5

/**
 * What this machine takes for a piece of work that is the same everywhere: the least of some rounds. Budgets are
 * multiples of it, so that a slow machine is given more and a product that became slower is not.
 */
export async function unitOfWork(page: Page): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(
      await cpuWhile(page, () =>
        page.evaluate(() => {
          const rows = Array.from({ length: 20_000 }, (_, at) => ({ at, name: `name ${at}` }))
          return JSON.parse(JSON.stringify(rows)).length
        }),
      ),
    )
  return Math.min(...rounds)
}
