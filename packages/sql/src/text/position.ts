const RETURN = 0x0d
const FEED = 0x0a

/** Both count from 1; a column is one UTF-16 unit. */
export interface Position {
  line: number
  column: number
}

/** The length of the line break at `at`: 2 for CR LF, 1 for either alone, 0 for none. */
function breakLength(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === RETURN) return text.charCodeAt(at + 1) === FEED ? 2 : 1
  return code === FEED ? 1 : 0
}

/** Answers for offsets that never decrease, so that many of them cost one pass over the text. */
function openPositions(text: string): (offset: number) => Position {
  let line = 1
  let lineStart = 0
  let at = 0
  return (offset) => {
    const target = Math.min(offset, text.length)
    while (at < target) {
      const length = breakLength(text, at)
      if (at + length > target) return { line, column: at - lineStart + 1 }
      at += length || 1
      if (length === 0) continue
      line++
      lineStart = at
    }
    return { line, column: at - lineStart + 1 }
  }
}

/** Where an offset lies. One beyond the text lies at its end, one inside CR LF at the end of its line. */
export function lineColumnAt(text: string, offset: number): Position {
  return openPositions(text)(Math.max(0, offset))
}

/** The offset of a position; a line or a column too far gives the nearest place there is. */
export function offsetAt(text: string, line: number, column: number): number {
  let at = 0
  for (let current = 1; current < line && at < text.length;) {
    const length = breakLength(text, at)
    at += length || 1
    if (length > 0) current++
  }
  for (let current = 1; current < column && at < text.length && breakLength(text, at) === 0; current++) at++
  return at
}
