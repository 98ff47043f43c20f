import type { ResultRows } from '../../engine/rows.ts'

/** Under which DuckDB lists the files that a scan has read, by their places on this machine. */
const FILE_NAMES = 'Filename(s)'
const IN_JSON = /,?\s*"Filename\(s\)": (?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/g
const WALL = '│'

const NOT_SHOWN =
  'This format of the plan names files of the server and is not shown. Use EXPLAIN ANALYZE without a format, or with FORMAT json.'

/** Of a plan drawn in boxes: blanks one box from where the files begin to its next empty line. */
function blankInBox(lines: string[], first: number, at: number): void {
  const from = lines[first]?.lastIndexOf(WALL, at) ?? -1
  const until = lines[first]?.indexOf(WALL, at) ?? -1
  if (from < 0 || until < 0) return
  for (let index = first; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const inside = line.slice(from + 1, until)
    if (line[from] !== WALL || inside.trim() === '') return
    lines[index] = `${line.slice(0, from + 1)}${' '.repeat(inside.length)}${line.slice(until)}`
  }
}

/** A plan without the files that were read: only operators may know where they are. */
function withoutFileNames(plan: string): string {
  if (!plan.includes(FILE_NAMES)) return plan
  const lines = plan.replaceAll(IN_JSON, '').split('\n')
  for (const [index] of lines.entries())
    for (let at = lines[index]?.indexOf(FILE_NAMES) ?? -1; at >= 0;) {
      blankInBox(lines, index, at)
      at = lines[index]?.indexOf(FILE_NAMES, at + 1) ?? -1
    }
  const shown = lines.join('\n')
  return shown.includes(FILE_NAMES) ? NOT_SHOWN : shown
}

/** The same of what DuckDB tells of an operator. */
export const isFileNames = (key: string): boolean => key === FILE_NAMES

export const planWithoutFiles = (plan: ResultRows): ResultRows => ({
  ...plan,
  rows: plan.rows.map((row) => row.map((cell) => cell && withoutFileNames(cell))),
})
