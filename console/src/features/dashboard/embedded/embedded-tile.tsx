import type { ShownTile, TileResult } from '@boathouse/contract/dashboard'
import { t } from '../../../i18n/texts.ts'
import { IconAlertTriangle } from '../../../ui/icons.ts'
import { Skeleton } from '../../../ui/index.ts'
import styles from '../dashboard.module.css'
import { TileContent } from '../tile-content.tsx'
import type { Came } from './address.ts'
import { useEmbeddedRows } from './use-embedded.ts'

interface Props {
  readonly came: Came
  readonly tile: ShownTile
  readonly result: TileResult | undefined
}

/** A tile with nothing to press. */
export function EmbeddedTile({ came, tile, result }: Props) {
  return (
    <section className={styles['tile']} aria-label={tile.title || t('embedded.tile')}>
      {tile.title !== '' && (
        <header className={styles['head']}>
          <h2>{tile.title}</h2>
        </header>
      )}
      <div className={styles['body']}>
        {tile.kind === 'text' ? (
          <p className={styles['text']}>{tile.text}</p>
        ) : (
          <Kept came={came} tile={tile} result={result} />
        )}
      </div>
    </section>
  )
}

function Kept({ came, tile, result }: Props) {
  const runId = result?.runId ?? null
  const { data, error } = useEmbeddedRows(came, runId)
  const failure = result?.error || error?.message
  if (failure)
    return (
      <p className={styles['quiet']}>
        <span>
          <IconAlertTriangle size={16} aria-hidden /> {failure}
        </span>
      </p>
    )
  if (runId === null) return <p className={styles['quiet']}>{t('embedded.notKept')}</p>
  return data ? <TileContent tile={tile} rows={data} /> : <Skeleton height={120} />
}
