import { chromium } from '@playwright/test'
import { findChromium } from '../../e2e/find-chromium.ts'
import { atMost, type Measured } from '../figures.ts'
import { median } from '../statistics.ts'
import type { Workshop } from '../workshop.ts'
import { boathouseConsole } from './boathouse.ts'
import { sqlpadConsole } from './sqlpad.ts'
import { SQLPAD } from './sqlpad-package.ts'
import { type Visit, visit } from './visit.ts'

const RUNS = 7
const RUN_MS = 80

const LABELS: Readonly<Record<keyof Visit, string>> = {
  kilobytes: 'the page over the line, kB',
  ready: 'navigation to an editor that takes a key, ms',
  run: 'click on Run to the row of select 1, ms',
  wide: 'click on Run to 1000 x 200 on the screen, ms',
}

const PARTS = Object.keys(LABELS) as (keyof Visit)[]

function launch() {
  const executablePath = findChromium()
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-gpu'],
  })
}

/** The console beside SQLPad, in the same browser. */
export async function benchConsoles(workshop: Workshop): Promise<Measured> {
  const browser = await launch()
  try {
    const product = await boathouseConsole(workshop, browser)
    const peer = await sqlpadConsole(workshop, browser)
    try {
      const visits: Record<'product' | 'peer', Visit[]> = { product: [], peer: [] }
      const sides = [
        ['product', product],
        ['peer', peer],
      ] as const
      for (let run = 0; run < RUNS; run++)
        for (const [side, one] of run % 2 === 0 ? sides : sides.toReversed())
          visits[side].push(await visit(browser, one, 1000 * (run + 1)))
      const middle = (side: keyof typeof visits, part: keyof Visit): number =>
        median(visits[side].map((one) => one[part]))
      return {
        title: `The editor's page, medians of ${RUNS} visits with an empty cache`,
        peer: 'SQLPad',
        figures: PARTS.map((part) => ({
          label: LABELS[part],
          product: middle('product', part),
          peer: middle('peer', part),
        })),
        goals: [atMost(LABELS.run, middle('product', 'run'), RUN_MS)],
        notes: [
          `SQLPad ${SQLPAD} on the PostgreSQL of the product, ${browser.browserType().name()} ${browser.version()}.`,
        ],
      }
    } finally {
      await peer.stop()
    }
  } finally {
    await browser.close()
  }
}
