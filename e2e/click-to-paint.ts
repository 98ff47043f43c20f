import type { Locator, Page } from '@playwright/test'

interface Painted {
  /** Selector of cells, the first of which is looked at. */
  readonly cell: string
  /** What it must not have had before. */
  readonly text: string
}

export interface AwaitedCell extends Painted {
  readonly button: Locator
}

/** Milliseconds from an event until the first frame in which the first cell has a text, as the page itself sees it. */
async function eventToPaint(
  page: Page,
  { event, cell, text }: Painted & { readonly event: 'click' | 'keydown' },
  cause: () => Promise<void>,
): Promise<number> {
  const painted = await page.evaluateHandle(
    ({ event, cell, text }) => {
      const begunToPainted = new Promise<number>((resolve) => {
        let begunAt = 0
        // When the button or the key was pressed, which may be before the page had time for it.
        addEventListener(event, ({ timeStamp }) => (begunAt = timeStamp), { capture: true, once: true })
        const observer = new MutationObserver(() => {
          if (document.querySelector(cell)?.textContent !== text) return
          observer.disconnect()
          // The frame after the next one begins when the next one has been drawn.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begunAt)))
        })
        observer.observe(document.body, { childList: true, characterData: true, subtree: true })
      })
      return { begunToPainted }
    },
    { event, cell, text },
  )
  await cause()
  return painted.evaluate((handle) => handle.begunToPainted)
}

export const clickToPaint = (page: Page, { button, ...painted }: AwaitedCell): Promise<number> =>
  eventToPaint(page, { event: 'click', ...painted }, () => button.click())

export const keyToPaint = (
  page: Page,
  { key, ...painted }: Painted & { readonly key: string },
): Promise<number> => eventToPaint(page, { event: 'keydown', ...painted }, () => page.keyboard.press(key))
