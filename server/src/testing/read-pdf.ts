import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'

const READER = process.env['BOATHOUSE_TEST_PDFTOTEXT'] ?? '/usr/bin/pdftotext'

/** `scripts/test.mjs` installs it where it can, and says so where it cannot. */
export const hasPdfReader = existsSync(READER)

/** The text of each page, as a reader that is not ours finds it. */
export async function readPdf(pdf: Buffer): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-pdf-'))
  try {
    const path = join(directory, 'it.pdf')
    await writeFile(path, pdf)
    const { stdout, stderr } = await promisify(execFile)(READER, ['-layout', path, '-'])
    expect(stderr, 'what a reader finds wrong').toBe('')
    // It marks what is written from the right.
    return stdout
      .replaceAll(/[\u202a-\u202e]/g, '')
      .split('\f')
      .slice(0, -1)
  } finally {
    await rm(directory, { recursive: true })
  }
}
