import type { Page } from '@playwright/test'
import { sendSql } from './console-page.ts'

declare global {
  interface Window {
    /** When the last message arrived, in milliseconds of this page. */
    messageArrivedAt?: number
  }
}

/** Call it before the page is opened, so that its listener records the arrival of messages before all others run. */
export async function watchArrivals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols)
        this.addEventListener('message', () => (window.messageArrivedAt = performance.now()))
      }
    }
  })
}

/** Milliseconds from the arrival of the answer until the first frame with its cells. */
export async function firstPaintOf(page: Page, sql: string): Promise<number> {
  const painted = await page.evaluateHandle(() => {
    const arrivedToPainted = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('[role=gridcell]')) return
        observer.disconnect()
        const arrivedAt = window.messageArrivedAt ?? 0
        // The frame after the next one begins when the next one has been drawn.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - arrivedAt)))
      })
      observer.observe(document.body, { childList: true, subtree: true })
    })
    return { arrivedToPainted }
  })
  await sendSql(page, sql)
  return painted.evaluate((handle) => handle.arrivedToPainted)
}
