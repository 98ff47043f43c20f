import { EXPORT_FORMATS } from '@boathouse/contract/query'
import { t } from '../../../i18n/texts.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Button, IconButton, Menu } from '../../../ui/index.ts'
import { IconAlertTriangle, IconDownload, IconX } from '../icons.ts'
import type { Download } from './use-download.ts'
import styles from '../results/results.module.css'

interface Props {
  readonly queryId: string
  readonly download: Download
}

/** All rows that are kept, as a file. */
export function DownloadMenu({ queryId, download }: Props) {
  const { making } = download
  const entries = EXPORT_FORMATS.map((format) => ({
    label: t(`editor.download.formats.${format}`),
    hint: `.${format}`,
    disabled: making !== null,
    onSelect: () => download.start(queryId, format),
  }))
  const words = making
    ? t('editor.download.making', { format: t(`editor.download.formats.${making}`) })
    : t('editor.download.label')
  const { percent, bytes } = download
  const progress = () => {
    if (percent !== null) return t('editor.toolbar.progress', { percent: Math.round(percent) })
    return bytes > 0 ? formatBytes(bytes) : ''
  }
  return (
    <>
      <Menu
        label={t('editor.download.menu')}
        entries={entries}
        width={190}
        trigger={
          <Button size="sm" loading={making !== null} leftIcon={<IconDownload size={14} aria-hidden />}>
            {making ? `${words} ${progress()}` : words}
          </Button>
        }
      />
      {making && (
        <IconButton
          label={t('resultView.stopDownload')}
          size="sm"
          disabled={download.isStopping}
          onClick={download.stop}
        >
          <IconX size={14} aria-hidden />
        </IconButton>
      )}
      <span className="visually-hidden" role="status">
        {making && words}
      </span>
    </>
  )
}

/** Why the file could not be made, where the rows are. */
export function DownloadFailure({ download }: { download: Download }) {
  const { failed } = download
  if (!failed) return null
  return (
    <div className={styles['strip']} role="alert">
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
      <p className={styles['stripText']}>
        {t('editor.download.failed', { format: t(`editor.download.formats.${failed.format}`) })}{' '}
        {failed.message}
      </p>
      <Button size="sm" onClick={() => download.start(failed.queryId, failed.format)}>
        {t('ui.retry')}
      </Button>
      <Button size="sm" onClick={download.dismiss}>
        {t('ui.close')}
      </Button>
    </div>
  )
}
