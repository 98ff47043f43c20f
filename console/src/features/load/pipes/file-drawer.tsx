import type { PipeFile } from '@boathouse/contract/pipe'
import { t } from '../../../i18n/texts.ts'
import { formatBytes, formatCount, formatDateTime } from '../../../lib/format.ts'
import { Drawer, Properties, Refusal } from '../../../ui/index.ts'
import styles from '../load.module.css'
import { FileStateDot } from './pipe-state.tsx'

interface Props {
  readonly file: PipeFile
  readonly name: string
  readonly statementPath: (queryId: string) => string
  readonly onClose: () => void
}

/** One file of a pipe: what became of it, and the whole reason. */
export function FileDrawer({ file, name, statementPath, onClose }: Props) {
  const { state, error, rowsLoaded, queryId, endedAt } = file
  const none = t('pipe.none')
  return (
    <Drawer title={name} onClose={onClose}>
      <div className={styles['stack']}>
        <Refusal text={state === 'failed' && error !== '' ? error : undefined} />
        <Properties
          items={[
            [t('pipe.file.state'), <FileStateDot key="state" state={state} />],
            [t('pipe.file.path'), <code key="path">{file.path}</code>],
            [t('pipe.file.why'), state === 'failed' || error === '' ? none : error],
            [t('pipe.file.size'), formatBytes(file.sizeBytes)],
            [t('pipe.file.rows'), rowsLoaded === null ? none : formatCount(rowsLoaded)],
            [t('pipe.file.rejectedRows'), formatCount(file.rowsRejected)],
            [t('pipe.file.attempts'), formatCount(file.attempts)],
            [t('pipe.file.changed'), formatDateTime(file.changedAt)],
            [t('pipe.file.when'), formatDateTime(file.seenAt)],
            [t('pipe.file.ended'), endedAt === null ? none : formatDateTime(endedAt)],
            [
              t('pipe.statement'),
              queryId === null ? (
                none
              ) : (
                <a key="statement" href={statementPath(queryId)}>
                  {t('pipe.file.statement')}
                </a>
              ),
            ],
          ]}
        />
      </div>
    </Drawer>
  )
}
