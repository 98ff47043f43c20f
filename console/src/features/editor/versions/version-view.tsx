import { editor } from '@boathouse/contract/editor'
import type { QueryVersion } from '@boathouse/contract/editor-versions'
import { lazy, Suspense, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Button, ErrorState, Segmented, Spinner } from '../../../ui/index.ts'
import { VersionName } from './version-name.tsx'
import styles from './versions.module.css'

const TextDifference = lazy(async () => ({ default: (await import('./text-difference.tsx')).TextDifference }))

type Against = 'now' | 'before'

interface Props {
  readonly tabId: string
  readonly version: QueryVersion
  /** The one before it, if there is one; undefined: it is not known yet. */
  readonly earlier: QueryVersion | null | undefined
  /** What the tab has now. */
  readonly now: string
  /** Of a query of others that the user may not change. */
  readonly isReadOnly: boolean
  readonly isRestoring: boolean
  readonly onRestore: () => void
}

/** One version against the text of now, or against the version before it. */
export function VersionView({ tabId, version, earlier, now, isReadOnly, isRestoring, onRestore }: Props) {
  const [against, setAgainst] = useState<Against>('now')
  const [isNaming, setNaming] = useState(false)
  const own = useCall(editor.versionText, { tabId, versionId: version.versionId }, { staleTime: 0 })
  const other = useCall(
    editor.versionText,
    { tabId, versionId: earlier?.versionId ?? version.versionId },
    { enabled: against === 'before' && Boolean(earlier), staleTime: 0 },
  )
  const chosen = {
    label: t('versions.chosen', { when: formatDateTime(version.savedAt) }),
    text: own.data?.sql,
  }
  const present = { label: t('versions.now'), text: now }
  const previous =
    earlier === null
      ? { label: t('versions.nothing'), text: '' }
      : { label: t('versions.before'), text: other.data?.sql }
  const [before, after] = against === 'now' ? [chosen, present] : [previous, chosen]
  const failed = [own, ...(against === 'before' ? [other] : [])].find(({ isError }) => isError)
  return (
    <div>
      <div className={styles['actions']}>
        <Segmented
          label={t('versions.compare')}
          value={against}
          segments={[
            { value: 'now', label: t('versions.against.now') },
            { value: 'before', label: t('versions.against.before') },
          ]}
          onChange={setAgainst}
        />
        <span className={styles['space']} />
        {!isReadOnly && (
          <>
            <Button onClick={() => setNaming(true)}>
              {t(version.name === '' ? 'versions.name' : 'versions.rename')}
            </Button>
            <Button
              variant="primary"
              loading={isRestoring}
              disabled={own.data === undefined || own.data.sql === now}
              onClick={onRestore}
            >
              {t('versions.restore')}
            </Button>
          </>
        )}
      </div>
      {isNaming && (
        <VersionName
          key={version.versionId}
          tabId={tabId}
          version={version}
          onDone={() => setNaming(false)}
        />
      )}
      {failed ? (
        <ErrorState
          title={t('versions.textFailed')}
          what={failed.error?.message ?? ''}
          onRetry={() => void failed.refetch()}
        />
      ) : before.text === undefined || after.text === undefined ? (
        <Spinner label={t('versions.loadingText')} />
      ) : (
        <Suspense fallback={<Spinner label={t('versions.loadingText')} />}>
          <TextDifference
            before={{ label: before.label, text: before.text }}
            after={{ label: after.label, text: after.text }}
          />
        </Suspense>
      )}
    </div>
  )
}
