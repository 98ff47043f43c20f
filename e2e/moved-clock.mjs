import { readFileSync } from 'node:fs'

/**
 * Loaded before the product: its time of day is ahead by as many milliseconds as a file says, and may be moved while it runs.
 * What it does every minute it does twice a second, so that nobody waits for it.
 */
const LOOKS_EVERY_MS = 100
const MINUTE_MS = 60_000
const SOON_MS = 500

const file = process.env['MOVED_CLOCK']
const RealDate = Date
let aheadMs = 0
let lookedAt = 0

function now() {
  const real = RealDate.now()
  if (file && real - lookedAt >= LOOKS_EVERY_MS) {
    lookedAt = real
    aheadMs = Number(readFileSync(file, 'utf8'))
  }
  return real + aheadMs
}

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now())
    else super(...given)
  }
  static now() {
    return now()
  }
  static [Symbol.hasInstance](value) {
    return value instanceof RealDate
  }
}

const realInterval = globalThis.setInterval
globalThis.setInterval = (run, ms, ...given) => realInterval(run, ms === MINUTE_MS ? SOON_MS : ms, ...given)
