import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** The file in which the runs of a command note what they skipped and what failed. */
const VARIABLE = 'BOATHOUSE_TEST_OUTCOMES'

/** Without a command that collects them, they are said at the end of the run itself. */
function note(line) {
  const to = process.env[VARIABLE]
  if (to) appendFileSync(to, `${line}\n`)
  else console.log(line)
}

/** Of one file of tests. */
export const noteSkipped = (file, count) =>
  note(`SKIPPED ${file}: ${count} ${count === 1 ? 'test' : 'tests'}`)

const CAUSE_CHARACTERS = 600

/** Colours of a terminal and the layout of lines say nothing in a line. */
const inOneLine = (text) => stripVTControlCharacters(text).replaceAll(/\s+/g, ' ').trim()

/** With its cause: often only the end of a long output is kept, and a test that is rarely red is red once. */
export function noteFailed(file, title, cause = '') {
  const said = inOneLine(cause).slice(0, CAUSE_CHARACTERS)
  note(`FAILED ${file}: ${inOneLine(title)}${said && ` — ${said}`}`)
}

/** Collects what the steps of a command skip and what fails in them; `lines` says it once they have run. */
export function collectOutcomes() {
  const folder = mkdtempSync(join(tmpdir(), 'boathouse-outcomes-'))
  const file = join(folder, 'outcomes')
  process.env[VARIABLE] = file
  return {
    lines() {
      const noted = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
      rmSync(folder, { recursive: true, force: true })
      return noted
    },
  }
}
