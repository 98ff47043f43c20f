import type { Locator, Page } from '@playwright/test'

export interface AwaitedCell {
  readonly button: Locator
  /** Selector of cells, the first of which is looked at. */
  readonly cell: string
  /** What it must not have had before. */
  readonly text: string
}

/** Milliseconds from a click until the first frame in which the first cell has a text, as the page itself sees it. */
export async function clickToPaint(page: Page, { button, cell, text }: AwaitedCell): Promise<number> {
  const painted = await page.evaluateHandle(
    ({ cell, text }) => {
      const clickedToPainted = new Promise<number>((resolve) => {
        let clickedAt = 0
        // When the button of the mouse came up, which may be before the page had time for it.
        addEventListener('click', ({ timeStamp }) => (clickedAt = timeStamp), { capture: true, once: true })
        const observer = new MutationObserver(() => {
          if (document.querySelector(cell)?.textContent !== text) return
          observer.disconnect()
          // The frame after the next one begins when the next one has been drawn.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - clickedAt)))
        })
        observer.observe(document.body, { childList: true, characterData: true, subtree: true })
      })
      return { clickedToPainted }
    },
    { cell, text },
  )
  await button.click()
  return painted.evaluate((handle) => handle.clickedToPainted)
}
