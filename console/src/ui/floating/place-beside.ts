export type Side = 'top' | 'bottom' | 'left' | 'right'

export interface Beside {
  readonly side: Side
  /** Which edges are in line. */
  readonly align: 'start' | 'center' | 'end'
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

interface Size {
  readonly width: number
  readonly height: number
}

const OPPOSITE: Readonly<Record<Side, Side>> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }
const GAP_PX = 4
const MARGIN_PX = 8

const isVertical = (side: Side): boolean => side === 'top' || side === 'bottom'

/** The other side where this one has no room and that has more. */
function chooseSide(anchor: Box, size: Size, { side, window }: { side: Side; window: Size }): Side {
  const room: Readonly<Record<Side, number>> = {
    top: anchor.top,
    bottom: window.height - anchor.top - anchor.height,
    left: anchor.left,
    right: window.width - anchor.left - anchor.width,
  }
  const needed = (isVertical(side) ? size.height : size.width) + GAP_PX + MARGIN_PX
  return room[side] < needed && room[OPPOSITE[side]] > room[side] ? OPPOSITE[side] : side
}

const ALONG = { start: 0, center: 0.5, end: 1 }

const inside = (at: number, size: number, whole: number): number =>
  Math.max(MARGIN_PX, Math.min(at, whole - size - MARGIN_PX))

/** The place of something of this size beside its anchor, entirely in the window. */
export function placeBeside(
  anchor: Box,
  size: Size,
  { side, align, window }: Beside & { readonly window: Size },
): { readonly left: number; readonly top: number } {
  const chosen = chooseSide(anchor, size, { side, window })
  const along = ALONG[align]
  let left = anchor.left + (anchor.width - size.width) * along
  let top = anchor.top + (anchor.height - size.height) * along
  if (chosen === 'bottom') top = anchor.top + anchor.height + GAP_PX
  if (chosen === 'top') top = anchor.top - size.height - GAP_PX
  if (chosen === 'right') left = anchor.left + anchor.width + GAP_PX
  if (chosen === 'left') left = anchor.left - size.width - GAP_PX
  return {
    left: Math.round(inside(left, size.width, window.width)),
    top: Math.round(inside(top, size.height, window.height)),
  }
}
