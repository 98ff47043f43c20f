/** A statement that held a slot; times in milliseconds since 1970. */
export interface Held {
  readonly queryId: string
  readonly from: number
  /** Null: it still does. */
  readonly to: number | null
}

/** What of a time that a warehouse ran is whose, in microseconds. The rest of it was idle. */
export type Shares = ReadonlyMap<string, number>

interface Edge {
  readonly at: number
  readonly queryId: string
  readonly change: 1 | -1
}

const MICROS_PER_MS = 1000

function edgesOf(held: readonly Held[], from: number, until: number): Edge[] {
  const edges = held.flatMap(({ queryId, from: begin, to }): Edge[] => {
    const [first, last] = [Math.max(begin, from), Math.min(to ?? until, until)]
    if (first >= last) return []
    return [
      { at: first, queryId, change: 1 },
      { at: last, queryId, change: -1 },
    ]
  })
  return edges.sort((one, other) => one.at - other.at)
}

/**
 * Each moment of a running warehouse belongs, in equal parts, to the statements that run in it then. What cannot be
 * divided goes to those that came first, so that the parts add up to the whole, to the microsecond.
 */
export function shareOut(held: readonly Held[], span: { from: Date; until: Date }): Shares {
  const shares = new Map<string, number>()
  const running = new Map<string, number>()
  let at = span.from.getTime()
  for (const edge of edgesOf(held, at, span.until.getTime())) {
    divide((edge.at - at) * MICROS_PER_MS, [...running.keys()], shares)
    at = edge.at
    // One that is run a second time may hold two slots in the same millisecond.
    const slots = (running.get(edge.queryId) ?? 0) + edge.change
    if (slots > 0) running.set(edge.queryId, slots)
    else running.delete(edge.queryId)
  }
  return shares
}

function divide(micros: number, among: readonly string[], shares: Map<string, number>): void {
  if (micros === 0 || among.length === 0) return
  const part = Math.floor(micros / among.length)
  const left = micros - part * among.length
  for (const [index, queryId] of among.entries()) {
    const share = part + (index < left ? 1 : 0)
    if (share > 0) shares.set(queryId, (shares.get(queryId) ?? 0) + share)
  }
}
