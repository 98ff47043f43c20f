import type { ProfileNode } from '../../engine/outcome.ts'

/** Every operator is drawn in a box of this inner width; wider ones are titles. */
const TOP = /┌([─┴]{27})┐/g
const BOTTOM = /└[─┬]{27}┘/
const INNER = 27

interface Box {
  /** Where it begins in its lines. */
  readonly column: number
  /** It hangs below another one. */
  readonly isBelow: boolean
  readonly lines: string[]
}

const topsIn = (line: string): Box[] =>
  [...line.matchAll(TOP)].map(({ index, 1: edge = '' }) => ({
    column: index,
    isBelow: edge.includes('┴'),
    lines: [],
  }))

/** The boxes of the last plan in the text, row by row: those of one row have their tops on one line. */
function rowsOfBoxes(text: string): Box[][] {
  let rows: Box[][] = []
  let open: Box[] = []
  for (const line of text.split('\n')) {
    const tops = topsIn(line)
    if (tops.length > 0) {
      if (!tops[0]?.isBelow) rows = []
      rows.push(tops)
      open = tops
    } else if (BOTTOM.test(line)) open = []
    else for (const { column, lines } of open) lines.push(line.slice(column + 1, column + 1 + INNER).trim())
  }
  return rows
}

const ROWS = /^(~)?([\d,]+) rows?$/i
const TIME = /^\(?([\d.]+) ?s\)?$/

/** A name, a line below it, and facts with empty lines between them. */
function readBox({ lines }: Box): Omit<ProfileNode, 'children'> {
  const [operator = '', ...rest] = lines
  const [, approximately, figure] = rest.map((line) => ROWS.exec(line)).find(Boolean) ?? []
  const seconds = rest.map((line) => TIME.exec(line)?.[1]).find(Boolean)
  const detail = rest
    .filter((line) => !/^─+$/.test(line) && !ROWS.test(line) && !TIME.test(line))
    // A word that fills its line continues in the next one.
    .map((line) => (line.length === INNER ? line : `${line}\n`))
    .join('')
    .split(/\n{2,}/)
    .map((fact) => fact.replaceAll('\n', ' ').trim())
    .filter(Boolean)
    .join('\n')
  return {
    operator,
    detail,
    timeMs: seconds === undefined ? null : 1000 * Number(seconds),
    rows: figure === undefined ? null : Number(figure.replaceAll(',', '')),
    ...(approximately === undefined ? {} : { isEstimate: true }),
  }
}

/**
 * The inputs of an operator are in the next row, the first below it and the others to its right: a box belongs to the
 * last one of the row above that does not start after it.
 */
function treeOf(box: Box, depth: number, rows: readonly Box[][]): ProfileNode {
  const next = rows[depth]?.find(({ column }) => column > box.column)?.column ?? Number.POSITIVE_INFINITY
  const below = (rows[depth + 1] ?? []).filter(({ column }) => column >= box.column && column < next)
  return { ...readBox(box), children: below.map((child) => treeOf(child, depth + 1, rows)) }
}

export function readBoxes(text: string): ProfileNode | null {
  const rows = rowsOfBoxes(text)
  const [root] = rows[0] ?? []
  return root ? treeOf(root, 0, rows) : null
}
