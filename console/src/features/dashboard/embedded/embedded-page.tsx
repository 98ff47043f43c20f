import '../../../i18n/embedded.ts'
import '../../../i18n/dashboards.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { useNow } from '../../../lib/use-now.ts'
import { EmptyState, ErrorState, Skeleton, useColorScheme } from '../../../ui/index.ts'
import styles from '../dashboard.module.css'
import { TileGrid } from '../tile-grid.tsx'
import { type Came, cameBy } from './address.ts'
import { EmbeddedTile } from './embedded-tile.tsx'
import { createEmbeddedQueries, isPassing, useEmbedded } from './use-embedded.ts'

/** A dashboard for who has a link to it: what its owner has kept, and nothing to press. */
export function EmbeddedPage() {
  const [queries] = useState(createEmbeddedQueries)
  const [came, setCame] = useState(() => cameBy(window.location))
  useEffect(() => {
    const look = () => setCame(cameBy(window.location))
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [])
  useScheme()
  return (
    <QueryClientProvider client={queries}>
      <main className={styles['page']}>
        <Shown came={came} />
      </main>
    </QueryClientProvider>
  )
}

function useScheme(): void {
  const { scheme } = useColorScheme()
  useEffect(() => document.documentElement.setAttribute('data-scheme', scheme), [scheme])
}

function Shown({ came }: { came: Came }) {
  const { data, error, refetch } = useEmbedded(came)
  const name = data?.name
  useEffect(() => {
    if (name !== undefined) document.title = name
  }, [name])
  // What was decided meanwhile holds for what is on the screen as well.
  if (error && !isPassing(error))
    return (
      <EmptyState page title={t('embedded.closed')}>
        <p>{error.message}</p>
      </EmptyState>
    )
  if (!data && error)
    return (
      <ErrorState page title={t('embedded.failed')} what={error.message} onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton height={320} />
  const { tiles, results } = data
  return (
    <>
      <header className={styles['embedded-head']}>
        <h1>{data.name}</h1>
        <Refreshed times={results.flatMap(({ refreshedAt }) => refreshedAt ?? [])} />
      </header>
      {tiles.length === 0 && <EmptyState title={t('embedded.empty')}>{null}</EmptyState>}
      <TileGrid tiles={tiles}>
        {(tile) => (
          <EmbeddedTile
            came={came}
            tile={tile}
            result={results.find(({ tileId }) => tileId === tile.tileId)}
          />
        )}
      </TileGrid>
    </>
  )
}

function Refreshed({ times }: { times: readonly string[] }) {
  const now = useNow()
  const [oldest] = times.toSorted()
  if (oldest === undefined) return null
  return (
    <p className={styles['note']} title={formatDateTime(oldest)}>
      {t('embedded.refreshed', { when: formatRelative(oldest, Math.max(now, Date.parse(oldest))) })}
    </p>
  )
}
