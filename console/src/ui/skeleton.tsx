import styles from './skeleton.module.css'

interface Props {
  readonly width?: number | string
  readonly height?: number | string
}

/** The shape of what is coming; invisible for the first 200 ms. */
export function Skeleton({ width = '100%', height = 14 }: Props) {
  return <span className={styles['skeleton']} style={{ width, height }} aria-hidden />
}
