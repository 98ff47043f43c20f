import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Makes docs/requirements.md from the ledger of requirements: `node scripts/requirements.mjs <ledger>`. The ledger is
 * Markdown with an area in each heading, as in `## SHELL: routes, guards`, and below it a table whose first columns are
 * the id and what must hold.
 */
const AREA = /^## ([A-Z]+: .+)$/
const ROW = /^\| ([A-Z]+-\d+) \| (.+?) \|/

const INTRO = `# Requirements

What Boathouse is held against, by area. Tests, code and documents cite the ids. A row that begins with 'Gap' or 'Not
shown', or that names two readings, is an open question of the specification; what was decided stands in
[decisions.md](decisions.md). Made by \`scripts/requirements.mjs\`: do not edit it by hand.
`

/** Where in the specification something stands says nothing to a reader who has only this list. */
function withoutPlaces(statement) {
  let named = 0
  return statement
    .replace(/[AB]§\d+ and [AB]§\d+/g, 'two places')
    .replace(/[AB]§\d+|document (?:[AB]|\d)|the companion document/g, () =>
      named++ === 0 ? 'one place' : 'another',
    )
    .replace('in this ledger', 'in this list')
    .replace('in the document', 'in the specification')
}

export function requirementsFrom(ledger) {
  const areas = []
  for (const line of ledger.split('\n')) {
    const title = AREA.exec(line)?.[1]
    if (title) areas.push({ title, rows: [] })
    const [, id, statement] = ROW.exec(line) ?? []
    if (id) areas.at(-1)?.rows.push(`| ${id} | ${withoutPlaces(statement)} |`)
  }
  if (areas.every(({ rows }) => rows.length === 0))
    throw new Error('No requirement was found: this is not a ledger. It has rows as in | SHELL-01 | … |.')
  const tables = areas.map(({ title, rows }) =>
    [`## ${title}`, '', '| Id | What must hold |', '|---|---|', ...rows, ''].join('\n'),
  )
  return [INTRO, ...tables].join('\n')
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [ledger] = process.argv.slice(2)
  if (!ledger) {
    console.error('Name the ledger: node scripts/requirements.mjs <file>')
    process.exit(1)
  }
  const target = fileURLToPath(new URL('../docs/requirements.md', import.meta.url))
  writeFileSync(target, requirementsFrom(readFileSync(ledger, 'utf8')))
}
