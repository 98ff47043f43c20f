/** Browsers lay nothing out beyond some height; the lowest limit is Firefox's, near 17.8 million pixels. */
const TALLEST_PX = 15_000_000
/** Rows drawn beyond each edge, so that scrolling shows no gap. */
const OVERSCAN = 6

/** What is on the screen, in pixels: where it is scrolled to, the height for all rows and that of each. */
export interface Seen {
  readonly scrollTop: number
  readonly viewport: number
  readonly rowPx: number
}

export interface RowsLayout {
  /** Of what is scrolled. */
  readonly height: number
  /** Rows that one pixel of scrolling moves by, in pixels: 1 unless there are too many of them. */
  readonly ratio: number
  /** From a row's own place, `index * rowPx`, to where it is drawn. */
  readonly shift: number
  /** Rows to draw, both included; none when `last` is before `first`. */
  readonly first: number
  readonly last: number
}

function ratioOf(count: number, { viewport, rowPx }: Seen): number {
  const full = count * rowPx
  return full > TALLEST_PX ? (full - viewport) / (TALLEST_PX - viewport) : 1
}

/** All rows have the same height, so their places need no list: a million cost as much as ten. */
export function layoutRows(count: number, seen: Seen): RowsLayout {
  const { scrollTop, viewport, rowPx } = seen
  const ratio = ratioOf(count, seen)
  const position = scrollTop * ratio
  return {
    height: Math.min(count * rowPx, TALLEST_PX),
    ratio,
    shift: scrollTop - position,
    first: Math.max(0, Math.floor(position / rowPx) - OVERSCAN),
    last: Math.min(count - 1, Math.ceil((position + viewport) / rowPx) + OVERSCAN),
  }
}

/** Where to scroll to so that the row is seen whole, by the shortest way. */
export function scrollTopFor(index: number, count: number, seen: Seen): number {
  const { scrollTop, viewport, rowPx } = seen
  const ratio = ratioOf(count, seen)
  const position = scrollTop * ratio
  const top = index * rowPx
  const bottom = top + rowPx
  if (top < position) return top / ratio
  if (bottom > position + viewport) return Math.max(0, bottom - viewport) / ratio
  return scrollTop
}
