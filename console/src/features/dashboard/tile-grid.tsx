import type { Tile } from '@boathouse/contract/dashboard'
import type { CSSProperties, ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { inOrder, type Placed } from './layout.ts'
import styles from './dashboard.module.css'

export const placeStyle = ({ x, y, w, h }: Pick<Tile, 'x' | 'y' | 'w' | 'h'>): CSSProperties =>
  ({ '--x': x, '--y': y, '--w': w, '--h': h }) as CSSProperties

interface Props<T extends Placed> {
  readonly tiles: readonly T[]
  readonly children: (tile: T) => ReactNode
}

/** Twelve columns, or one on a narrow page, in reading order. */
export function TileGrid<T extends Placed>({ tiles, children }: Props<T>) {
  return (
    <div className={styles['grid']} role="group" aria-label={t('dashboards.one.grid')}>
      {inOrder(tiles).map((tile) => (
        <div key={tile.tileId} className={styles['cell']} style={placeStyle(tile)}>
          {children(tile)}
        </div>
      ))}
    </div>
  )
}
