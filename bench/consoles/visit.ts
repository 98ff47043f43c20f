import type { Browser, Page } from '@playwright/test'
import { clickToPaint } from '../../e2e/click-to-paint.ts'
import type { MeasuredConsole } from './measured-console.ts'

/** What one visit took: thousands of bytes, and milliseconds. */
export interface Visit {
  readonly kilobytes: number
  readonly ready: number
  readonly run: number
  readonly wide: number
}

const ROWS = 1000
const COLUMNS = 200
/** PostgreSQL and DuckDB read it alike. The first cell has the number. */
const wideSql = (number: number): string =>
  `select ${Array.from({ length: COLUMNS }, (_, at) => `i + ${number + at} as c${at}`).join(', ')} from generate_series(0, ${ROWS - 1}) t(i)`

/** Counts the bytes on the wire, with headers, compressed. */
async function countBytes(page: Page): Promise<() => number> {
  const line = await page.context().newCDPSession(page)
  let bytes = 0
  line.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await line.send('Network.enable')
  return () => bytes
}

/** Milliseconds from the beginning of the navigation until a text that is put in by the keyboard's way is shown. */
const untilReady = (page: Page, { input, text }: MeasuredConsole, word: string): Promise<number> =>
  page.evaluate(
    ({ input, text, word }) =>
      new Promise<number>((resolve) => {
        let isWritten = false
        const look = (): void => {
          const element = document.querySelector<HTMLElement>(input)
          if (element && !isWritten) {
            element.focus()
            isWritten = document.execCommand('insertText', false, word)
          }
          const isShown = [...document.querySelectorAll(text)].some((line) => line.textContent.includes(word))
          if (isShown) resolve(performance.now())
          else requestAnimationFrame(look)
        }
        look()
      }),
    { input, text, word },
  )

/** Opens the page with nothing in the cache, writes as soon as one can, and runs twice what is measured. */
export async function visit(browser: Browser, measured: MeasuredConsole, number: number): Promise<Visit> {
  const context = await measured.open(browser)
  try {
    const page = await context.newPage()
    const bytes = await countBytes(page)
    await page.goto(measured.url, { waitUntil: 'commit' })
    const ready = await untilReady(page, measured, `ready${number}`)
    await page.waitForLoadState('networkidle')
    const kilobytes = bytes() / 1000
    const button = page.getByRole('button', { name: 'Run', exact: true })
    const run = async (sql: string, first: number): Promise<number> => {
      await measured.write(page, sql)
      return clickToPaint(page, { button, cell: measured.cell, text: String(first) })
    }
    await run(`select ${number}`, number)
    const again = await run(`select ${number + 1}`, number + 1)
    const wide = await run(wideSql(number + 2), number + 2)
    return { kilobytes, ready, run: again, wide }
  } finally {
    await context.close()
  }
}
