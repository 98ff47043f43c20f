import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOutsideTools } from './outside-tools.mjs'
import { createSteps } from './steps.mjs'

/**
 * Everything that must hold: check, unit, module and engine tests, then the built product in a real browser.
 * What is needed beyond npm is found, or installed from Debian's packages when this runs as root, or named.
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
const skipped = []
/** For these a network is needed, which not every machine has: said, and no failure. */
const notTried = []

const { run, finish, fail } = createSteps({ label: 'test', root })

const isRoot = process.getuid?.() === 0
const canInstall = () => isRoot && existsSync('/usr/bin/apt-get')

function install(name, packages) {
  console.log(`Installing ${name} from Debian’s packages …`)
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  try {
    execFileSync('apt-get', ['update', '-qq'], options)
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
  } catch (error) {
    console.error(`${name} could not be installed: ${error.message}`)
  }
}

function findBrowser() {
  const named = process.env.BOATHOUSE_TEST_CHROMIUM
  return named && existsSync(named) ? named : BROWSERS.find((path) => existsSync(path))
}

function browser() {
  const isWanted = !process.env.BOATHOUSE_TEST_CHROMIUM && !existsSync(HEADLESS)
  if (isWanted && canInstall()) install('Chromium', ['chromium-headless-shell', 'fonts-noto-cjk'])
  return findBrowser()
}

/** Reads the PDFs that are made, as people's readers do. */
const PDF_READER = '/usr/bin/pdftotext'
const findPdfReader = () =>
  [process.env.BOATHOUSE_TEST_PDFTOTEXT, PDF_READER].find((path) => path && existsSync(path))

function pdfReader() {
  if (!findPdfReader() && canInstall()) install('pdftotext', ['poppler-utils'])
  return findPdfReader()
}

const inBrowser = (project) => ['test', '-c', 'e2e/playwright.config.ts', '--no-deps', `--project=${project}`]

run('check', process.execPath, ['scripts/check.mjs'])
// In a process of its own: the bundler sets NODE_ENV for everything that runs after it. Without it there is nothing to test.
if (!run('build', process.execPath, ['scripts/build.mjs'])) process.exit(finish(''))
const reader = pdfReader()
if (reader) process.env.BOATHOUSE_TEST_PDFTOTEXT = reader
else
  skipped.push(
    'invoices read by pdftotext: install it (apt-get install poppler-utils) or set BOATHOUSE_TEST_PDFTOTEXT',
  )
const noOutside = findOutsideTools()
if (noOutside) notTried.push(noOutside)
run('unit, module and engine tests', bin('vitest'), ['run'])

const chromium = browser()
if (chromium) {
  process.env.BOATHOUSE_TEST_CHROMIUM = chromium
  run('journeys in a browser', bin('playwright'), inBrowser('e2e'))
  run('measured in a browser', bin('playwright'), inBrowser('measured'))
} else {
  skipped.push(
    'the product in a browser: install Chromium (apt-get install chromium) or set BOATHOUSE_TEST_CHROMIUM',
  )
}

for (const reason of [...skipped, ...notTried]) console.log(`SKIPPED ${reason}`)
if (process.env.CI) for (const reason of skipped) fail(`skipped: ${reason}`)
process.exit(finish('All tests passed.'))
