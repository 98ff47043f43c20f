import { existsSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Undefined when none is installed. */
export function findChromium(): string | undefined {
  const named = process.env['BOATHOUSE_TEST_CHROMIUM']
  if (named && !existsSync(named))
    throw new Error(`BOATHOUSE_TEST_CHROMIUM: there is no browser at ${named}. Correct or unset it.`)
  return named || PLACES.find((path) => existsSync(path))
}
