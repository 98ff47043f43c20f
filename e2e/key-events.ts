import type { Page } from '@playwright/test'

declare global {
  interface PerformanceObserverInit {
    /** Of the Event Timing API, milliseconds. */
    durationThreshold?: number
  }
}

/** How long the browser says that it took from a key to what it changed on the screen. */
export interface KeyEvents {
  /**
   * Milliseconds of each event that took at least 16, in steps of 8; the browser does not tell of shorter ones. They
   * begin when the key is pressed, so whatever kept the page busy then is in them.
   */
  readonly durations: readonly number[]
  /** Milliseconds in which the handlers of one event ran: the longest. */
  readonly longestHandling: number
  /** Milliseconds of tasks of at least 50, whatever they did. */
  readonly longTasks: readonly number[]
}

/** What the browser itself measures while keys are pressed. */
export async function keyEventsWhile(page: Page, type: () => Promise<void>): Promise<KeyEvents> {
  const watched = await page.evaluateHandle(() => {
    const durations: number[] = []
    const handling: number[] = []
    const longTasks: number[] = []
    const take = (entries: PerformanceEntryList): void => {
      for (const entry of entries)
        if (!(entry instanceof PerformanceEventTiming)) longTasks.push(entry.duration)
        else if (/^key|input$/.test(entry.name)) {
          durations.push(entry.duration)
          handling.push(entry.processingEnd - entry.processingStart)
        }
    }
    const observer = new PerformanceObserver((list) => take(list.getEntries()))
    observer.observe({ type: 'event', durationThreshold: 16 })
    observer.observe({ type: 'longtask' })
    const end = (): KeyEvents => {
      take(observer.takeRecords())
      observer.disconnect()
      return { durations, longestHandling: Math.max(0, ...handling), longTasks }
    }
    return { end }
  })
  await type()
  return watched.evaluate(async ({ end }) => {
    // The change by the last key has been drawn when the second frame begins, and its event is reported after that.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    return end()
  })
}
