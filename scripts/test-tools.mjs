import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canInstall, install } from './debian-packages.mjs'
import { findMysqlClients } from './mysql-clients.mjs'
import { findOutsideTools } from './outside-tools.mjs'
import { collectOutcomes } from './outcomes.mjs'
import { createSteps } from './steps.mjs'
import { findStreamClients } from './stream-clients.mjs'
import { findAskedTrino } from './trino.mjs'

/**
 * Tests with programs of others (`*.tools.test.ts`): an S3 server, PyIceberg, a server that speaks Iceberg REST, a reader of
 * PDFs, clients of MySQL and of stream load, Trino. They are found where they are named or were put before, else fetched. A test whose program cannot be had is
 * skipped, counted and named at the end, with the line that gets the program; that is no failure.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const PDF_READER = '/usr/bin/pdftotext'
const findPdfReader = () =>
  [process.env.BOATHOUSE_TEST_PDFTOTEXT, PDF_READER].find((path) => path && existsSync(path))

function pdfReader() {
  if (!findPdfReader() && canInstall()) install('pdftotext', ['poppler-utils'])
  return findPdfReader()
}

const { run, finish } = createSteps({ label: 'test:tools', root })
const reader = pdfReader()
if (reader) process.env.BOATHOUSE_TEST_PDFTOTEXT = reader
const missing = [
  ...(reader ? [] : ['pdftotext: apt-get install poppler-utils, or BOATHOUSE_TEST_PDFTOTEXT=PROGRAM']),
  ...findOutsideTools(),
  ...findMysqlClients(),
  ...findStreamClients(),
  ...findAskedTrino(),
]

const outcomes = collectOutcomes()
run('tests with programs of others', join(root, 'node_modules', '.bin', 'vitest'), [
  'run',
  '--config=vitest.tools.config.ts',
  '--reporter=default',
  '--reporter=./scripts/outcomes-reporter.mjs',
  ...process.argv.slice(2),
])

const lines = outcomes.lines()
const isSkipped = lines.some((line) => line.startsWith('SKIPPED'))
for (const line of lines) console.log(line)
for (const line of missing) console.log(`MISSING ${line}`)
if (isSkipped && missing.length === 0)
  console.log(
    'MISSING a Linux that lets engines be kept from the network: unshare --user --net must be allowed',
  )
process.exit(finish(isSkipped ? 'All tests passed but those skipped.' : 'All tests passed.'))
