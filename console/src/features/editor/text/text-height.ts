const LINE_PX = 20
const AROUND_PX = 16
/** Room to write on, and for the panel that finds and replaces. */
const FEWEST_LINES = 6
/** More would not fit on a screen. */
const MOST_LINES = 100

/** Pixels that a text needs to be seen whole, as far as a screen goes; lines that wrap are not counted. */
export function textHeight(sql: string): number {
  let lines = 1
  for (let at = sql.indexOf('\n'); at !== -1 && lines < MOST_LINES; at = sql.indexOf('\n', at + 1)) lines++
  return Math.max(lines, FEWEST_LINES) * LINE_PX + AROUND_PX
}
