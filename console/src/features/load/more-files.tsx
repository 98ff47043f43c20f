import { useEffect } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, DataTable, Panel, StateDot, type TableColumn, type Tone } from '../../ui/index.ts'
import styles from './load.module.css'
import type { FirstLoad, MoreState } from './more-file.ts'
import { type MoreFile, useMoreFiles } from './use-more-files.ts'

interface Props {
  readonly files: readonly File[]
  /** The name of the file that is previewed. */
  readonly firstName: string
  /** Null: it is not loaded yet. */
  readonly first: FirstLoad | null
  /** They are loaded by this page, which must stay open meanwhile. */
  readonly onBusy: (isBusy: boolean) => void
}

const TONES: Readonly<Record<MoreState['state'], Tone>> = {
  waiting: 'neutral',
  uploading: 'accent',
  reading: 'accent',
  loading: 'accent',
  loaded: 'ok',
  failed: 'err',
}

function wordsOf(now: MoreState): string {
  if (now.state === 'uploading') return t('load.more.states.uploading', { percent: now.percent })
  if (now.state !== 'loaded') return t(`load.more.states.${now.state}`)
  return t('load.more.states.loaded', { count: now.rows, rows: now.rows.toLocaleString('en') })
}

const columnsOf = (isBusy: boolean, onAgain: (one: MoreFile) => void): TableColumn<MoreFile>[] => [
  { key: 'file', header: t('load.tasks.file'), cell: ({ file }) => file.name },
  {
    key: 'state',
    header: t('load.tasks.state'),
    cell: ({ now }) => (
      <>
        <StateDot tone={TONES[now.state]} pulse={TONES[now.state] === 'accent'}>
          {wordsOf(now)}
        </StateDot>
        {now.state === 'failed' && <p className={styles['note']}>{now.error}</p>}
      </>
    ),
  },
  {
    key: 'again',
    header: t('load.tasks.actions'),
    hideHeader: true,
    align: 'end',
    cell: (one) =>
      one.now.state === 'failed' && (
        <Button size="sm" disabled={isBusy} onClick={() => onAgain(one)}>
          {t('load.target.again')}
        </Button>
      ),
  },
]

/** Files that were chosen with the first one: each is loaded as that one was, in a task of its own. */
export function MoreFiles({ files, firstName, first, onBusy }: Props) {
  const { all, isBusy, again } = useMoreFiles(files, first)
  useEffect(() => {
    onBusy(isBusy)
    if (!isBusy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => {
      window.removeEventListener('beforeunload', ask)
      onBusy(false)
    }
  }, [isBusy, onBusy])
  return (
    <Panel title={t('load.more.title')}>
      <div className={styles['stack']}>
        <p className={styles['note']} role="status">
          {isBusy ? t('load.more.keepOpen') : t('load.more.note', { name: firstName })}
        </p>
        <DataTable
          label={t('load.more.title')}
          rows={[...all]}
          rowKey={({ file }) => `${file.name} ${file.size} ${file.lastModified}`}
          columns={columnsOf(isBusy, (one) => again(all.indexOf(one)))}
        />
      </div>
    </Panel>
  )
}
