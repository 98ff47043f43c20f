import '../../../i18n/versions.ts'
import { editor } from '@boathouse/contract/editor'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { Dialog, EmptyState, ErrorState, notify, Pager, Spinner } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { isReadOnly } from '../tabs/editor-tab.ts'
import type { DialogProps } from '../tabs/query-dialogs.tsx'
import { useRestore } from './use-restore.ts'
import { VersionList } from './version-list.tsx'
import { VersionView } from './version-view.tsx'
import styles from './versions.module.css'

const PAGE = 20

/** The texts that a saved query had, newest first, each against another. */
export function VersionsDialog({ asked, open, onClose }: DialogProps) {
  const { store } = useEditorRuntime()
  const tabId = asked.id
  const tab = store.tab(tabId)
  const [page, setPage] = useState(1)
  const [chosenId, setChosenId] = useState<string | null>(null)
  // One more than is listed: the version before the last one of the page.
  const versions = useCall(
    editor.versions,
    { tabId, offset: (page - 1) * PAGE, limit: PAGE + 1 },
    { staleTime: 0 },
  )
  const restore = useRestore(tabId)
  const all = versions.data?.list ?? []
  const listed = all.slice(0, PAGE)
  const at = Math.max(
    0,
    listed.findIndex(({ versionId }) => versionId === chosenId),
  )
  const version = listed[at]
  const restoreChosen = async () => {
    if (!version || !(await restore.restore(version.versionId))) return
    onClose()
    notify({ tone: 'ok', message: t('versions.restored') })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('versions.title', { name: tab?.tabName ?? asked.name })}
      width={1120}
    >
      <p className={styles['about']}>{t('versions.about')}</p>
      {versions.isPending && <Spinner label={t('versions.loading')} />}
      {versions.isError && (
        <ErrorState
          title={t('versions.failed')}
          what={versions.error.message}
          onRetry={() => void versions.refetch()}
        />
      )}
      {versions.data?.total === 0 && (
        <EmptyState title={t('versions.empty')}>
          <p>{t(tab?.sample ? 'versions.sample' : 'versions.emptyWhy')}</p>
        </EmptyState>
      )}
      {versions.data && version && (
        <div className={styles['columns']}>
          <div>
            <VersionList versions={listed} chosenId={version.versionId} onChoose={setChosenId} />
            <Pager
              label={t('versions.list')}
              page={page}
              pageSize={PAGE}
              total={versions.data.total}
              onPage={setPage}
            />
          </div>
          <VersionView
            key={version.versionId}
            tabId={tabId}
            version={version}
            earlier={all[at + 1] ?? null}
            now={tab?.sql ?? ''}
            isReadOnly={tab !== undefined && isReadOnly(tab)}
            isRestoring={restore.isPending}
            onRestore={() => void restoreChosen()}
          />
        </div>
      )}
    </Dialog>
  )
}
