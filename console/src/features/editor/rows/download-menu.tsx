import { EXPORT_FORMATS } from '@boathouse/contract/query'
import { t } from '../../../i18n/texts.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Button, IconButton, Menu } from '../../../ui/index.ts'
import type { MenuEntry } from '../../../ui/index.ts'
import { IconAlertTriangle, IconDownload, IconX } from '../icons.ts'
import type { Download } from './use-download.ts'
import styles from '../results/results.module.css'

interface Props {
  readonly queryId: string
  readonly download: Download
  /** Rows that are kept. */
  readonly kept: number
  /** The statement has more than are kept. */
  readonly isPart: boolean
  /** Off for who looks at the result of somebody else. */
  readonly mayRunAgain?: boolean
}

const exact = (count: number): string => count.toLocaleString('en-US')

/** All rows that are kept, as a file; where the statement has more, also those, for which it runs once more. */
export function DownloadMenu({ queryId, download, kept, isPart, mayRunAgain = true }: Props) {
  const { making, isRunning } = download
  const formats = (isFull: boolean): MenuEntry[] =>
    EXPORT_FORMATS.map((format) => ({
      label: t(`editor.download.formats.${format}`),
      hint: isFull ? t('editor.download.all') : `.${format}`,
      disabled: making !== null,
      onSelect: () => download.start(queryId, format, isFull),
    }))
  const headed = isPart
    ? t('editor.download.firstRows', { shown: exact(kept) })
    : t('editor.download.allRows', { count: kept, shown: exact(kept) })
  const entries: MenuEntry[] = [
    { kind: 'heading', label: headed },
    ...formats(false),
    ...(isPart && mayRunAgain
      ? [
          { kind: 'divider' as const },
          { kind: 'heading' as const, label: t('editor.download.runsAgain') },
          ...formats(true),
        ]
      : []),
  ]
  const format = making && t(`editor.download.formats.${making}`)
  const words = format
    ? t(isRunning ? 'editor.download.running' : 'editor.download.making', { format })
    : t('editor.download.label')
  const { percent, bytes, rows } = download
  const progress = () => {
    if (percent !== null) return t('editor.toolbar.progress', { percent: Math.round(percent) })
    if (rows !== null) return t('editor.result.rows', { count: rows, shown: exact(rows) })
    return bytes > 0 ? formatBytes(bytes) : ''
  }
  return (
    <>
      <Menu
        label={t('editor.download.menu')}
        entries={entries}
        width={isPart ? 270 : 210}
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
      <Button size="sm" onClick={() => download.start(failed.queryId, failed.format, failed.isFull)}>
        {t('ui.retry')}
      </Button>
      <Button size="sm" onClick={download.dismiss}>
        {t('ui.close')}
      </Button>
    </div>
  )
}
