import styles from './sparkline.module.css'

interface Props {
  /** What it shows, in words: it is all that is read out. */
  readonly label: string
  /** From 0 to 100, oldest first; null where nothing is known. */
  readonly values: readonly (number | null)[]
}

const [WIDTH, HEIGHT] = [88, 20]

interface Point {
  readonly x: number
  readonly y: number
}

/** Pieces of the line without a gap; one that is alone is drawn as a short dash. */
function piecesOf(values: Props['values']): Point[][] {
  const step = WIDTH / values.length
  const pieces: Point[][] = []
  let open: Point[] | null = null
  for (const [index, value] of values.entries()) {
    if (value === null) {
      open = null
      continue
    }
    const y = HEIGHT - 1 - ((HEIGHT - 2) * Math.min(100, Math.max(0, value))) / 100
    if (!open) pieces.push((open = [{ x: index * step, y }]))
    open.push({ x: (index + 1) * step, y })
  }
  return pieces
}

const lineOf = (points: readonly Point[]): string =>
  `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`

/** A line without axes beside its figure: how that came about. */
export const Sparkline = ({ label, values }: Props) => (
  <svg className={styles['sparkline']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
    <path className={styles['ground']} d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
    {piecesOf(values).map((points) => {
      const line = lineOf(points)
      const [first, last] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0]
      return (
        <g key={first}>
          <path className={styles['area']} d={`${line}L${last} ${HEIGHT}L${first} ${HEIGHT}Z`} />
          <path className={styles['line']} d={line} />
        </g>
      )
    })}
  </svg>
)
