import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The file in which the runs of a command note what they skipped. */
const VARIABLE = 'BOATHOUSE_TEST_SKIPPED'

/** Of one file of tests. Without a command that collects them, they are said at the end of the run itself. */
export function noteSkipped(file, count) {
  const to = process.env[VARIABLE]
  if (to) appendFileSync(to, `${JSON.stringify({ file, count })}\n`)
  else console.log(skippedLine({ file, count }))
}

const skippedLine = ({ file, count }) => `SKIPPED ${file}: ${count} ${count === 1 ? 'test' : 'tests'}`

/** Collects what the steps of a command skip; `lines` says it, counted and named, once they have run. */
export function collectSkipped() {
  const folder = mkdtempSync(join(tmpdir(), 'boathouse-skipped-'))
  const file = join(folder, 'skipped')
  process.env[VARIABLE] = file
  return {
    lines() {
      const noted = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
      rmSync(folder, { recursive: true, force: true })
      return noted.map((line) => skippedLine(JSON.parse(line)))
    },
  }
}
