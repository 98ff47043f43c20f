import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findOutsideTools } from './outside-tools.mjs'

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

function step(name, command, args) {
  console.log(`\n== ${name}`)
  const startedAt = Date.now()
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error(`\ntest: ${name} failed`)
    process.exit(1)
  }
  console.log(`test: ${name} passed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

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

step('check', process.execPath, ['scripts/check.mjs'])
// In a process of its own: the bundler sets NODE_ENV for everything that runs after it.
step('build', process.execPath, ['scripts/build.mjs'])
const reader = pdfReader()
if (reader) process.env.BOATHOUSE_TEST_PDFTOTEXT = reader
else
  skipped.push(
    'invoices read by pdftotext: install it (apt-get install poppler-utils) or set BOATHOUSE_TEST_PDFTOTEXT',
  )
const noOutside = findOutsideTools()
if (noOutside) notTried.push(noOutside)
step('unit, module and engine tests', bin('vitest'), ['run'])

const chromium = browser()
if (chromium) {
  process.env.BOATHOUSE_TEST_CHROMIUM = chromium
  step('the product in a browser', bin('playwright'), ['test', '-c', 'e2e/playwright.config.ts'])
} else {
  skipped.push(
    'the product in a browser: install Chromium (apt-get install chromium) or set BOATHOUSE_TEST_CHROMIUM',
  )
}

for (const reason of [...skipped, ...notTried]) console.log(`SKIPPED ${reason}`)
if (skipped.length > 0 && process.env.CI) process.exit(1)
console.log('\nAll tests passed.')
