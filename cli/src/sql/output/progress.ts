import type { Progress } from '@boathouse/client/public/index'
import type { Screen } from './printer.ts'

const SHOWN_AFTER_MS = 1_000
const EVERY_MS = 250
const CLEARED = '\r\u001b[K'

const WORDS = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function progressText(seconds: number, progress: Progress | null): string {
  const parts = [`${seconds.toFixed(1)} s`]
  if (progress?.queuePlace) parts.unshift(`Waiting, number ${progress.queuePlace} in the queue`)
  else parts.unshift('Running')
  if (progress?.percent != null) parts.push(`${Math.floor(progress.percent)} %`)
  if (progress?.rows != null && progress.rows > 0) parts.push(`${WORDS.format(progress.rows)} rows read`)
  return `${parts.join(', ')}. Ctrl+C stops it.`
}

/** A line on a terminal while a statement takes more than a second; elsewhere nothing. */
export function createProgressLine(to: Screen) {
  if (to.isTTY !== true) return { heard: () => undefined, end: () => undefined }
  const began = performance.now()
  let last: Progress | null = null
  let isShown = false
  const timer = setInterval(() => {
    const passed = performance.now() - began
    if (passed < SHOWN_AFTER_MS) return
    isShown = true
    to.write(CLEARED + progressText(passed / 1000, last).slice(0, (to.columns ?? 80) - 1))
  }, EVERY_MS)
  return {
    heard(progress: Progress): void {
      last = progress
    },
    end(): void {
      clearInterval(timer)
      if (isShown) to.write(CLEARED)
      isShown = false
    },
  }
}
