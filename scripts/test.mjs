import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canInstall, install } from './debian-packages.mjs'
import { collectOutcomes } from './outcomes.mjs'
import { createSteps } from './steps.mjs'

/**
 * Everything that must hold: check, unit, module and engine tests, then the built product in a real browser. The browser is
 * found, or installed from Debian's packages when this runs as root, or named. Tests with programs of others are
 * `npm run test:tools`.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name) => join(root, 'node_modules', '.bin', name)
/** Chromium without its windows: the same engine, and a quarter less work for the machine. */
const HEADLESS = '/usr/bin/chromium-headless-shell'
const BROWSERS = [
  HEADLESS,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

function findBrowser() {
  const named = process.env.BOATHOUSE_TEST_CHROMIUM
  return named && existsSync(named) ? named : BROWSERS.find((path) => existsSync(path))
}

function browser() {
  const isWanted = !process.env.BOATHOUSE_TEST_CHROMIUM && !existsSync(HEADLESS)
  if (isWanted && canInstall()) install('Chromium', ['chromium-headless-shell', 'fonts-noto-cjk'])
  return findBrowser()
}

/** Both steps in a browser begin with the same data, which the first one makes; see e2e/prepare.ts. */
function sharedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'boathouse-e2e-'))
  // As root, database and engines run as other users and must come through.
  chmodSync(folder, 0o755)
  return (process.env.BOATHOUSE_TEST_SHARED_FOLDER = folder)
}

const inBrowser = (project) => ['test', '-c', 'e2e/playwright.config.ts', `--project=${project}`]

const { run, finish, fail } = createSteps({ label: 'test', root })
const outcomes = collectOutcomes()
run('check', process.execPath, ['scripts/check.mjs'])
// In a process of its own: the bundler sets NODE_ENV for everything that runs after it. Without it there is nothing to test.
if (!run('build', process.execPath, ['scripts/build.mjs'])) process.exit(finish(''))
run('unit, module and engine tests', bin('vitest'), [
  'run',
  '--reporter=default',
  '--reporter=./scripts/outcomes-reporter.mjs',
])
const chromium = browser()
const noBrowser =
  'all tests in a browser: install Chromium (apt-get install chromium) or set BOATHOUSE_TEST_CHROMIUM'
if (chromium) {
  process.env.BOATHOUSE_TEST_CHROMIUM = chromium
  const shared = sharedFolder()
  run('journeys in a browser', bin('playwright'), inBrowser('e2e'))
  run('measured in a browser', bin('playwright'), inBrowser('measured'))
  rmSync(shared, { recursive: true, force: true })
}

for (const line of outcomes.lines()) console.log(line)
if (!chromium) console.log(`SKIPPED ${noBrowser}`)
if (!chromium && process.env.CI) fail(`skipped: ${noBrowser}`)
process.exit(finish('All tests passed.'))
