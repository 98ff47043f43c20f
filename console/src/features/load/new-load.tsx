import { LIMITS } from '@boathouse/contract/limits'
import { formatOfName, type Reading, type SpoiledType, type Upload } from '@boathouse/contract/load'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { BrokenRows } from './broken-rows.tsx'
import { ColumnsPanel } from './columns-panel.tsx'
import { DecimalCommas } from './decimal-commas.tsx'
import { EndOfLoad } from './end-of-load.tsx'
import type { LoadLinks } from './load-outcome.tsx'
import { readingLikeFirst } from './more-file.ts'
import { MoreFiles } from './more-files.tsx'
import { LoadPhases } from './load-phases.tsx'
import styles from './load.module.css'
import { PreviewPanel } from './preview-panel.tsx'
import { ReadingPanel } from './reading-panel.tsx'
import { type SpoiledChoice, SpoiledColumns } from './spoiled-columns.tsx'
import { TargetPanel } from './target-panel.tsx'
import { useChosenColumns } from './use-chosen-columns.ts'
import { useInspection } from './use-inspection.ts'
import { useNewTask } from './use-new-task.ts'
import { useTarget } from './use-target.ts'
import { withDateFormat } from './written-values.ts'

interface Props {
  readonly upload: Upload
  /** Bytes that have arrived; null: all of them. */
  readonly sent: number | null
  readonly catalog: string
  readonly database: string
  /** Chosen by the page that led here. */
  readonly table: string | undefined
  readonly warehouseId: string
  readonly links: LoadLinks
  /** Files that are loaded after it, in the same way. */
  readonly more: readonly File[]
  /** The others are being loaded by this page. */
  readonly onBusy: (isBusy: boolean) => void
  /** It is loaded, and another file can be chosen. Null: others are still being loaded. */
  readonly onDone: (() => void) | null
}

const readingFor = (name: string): Reading => ({
  format: formatOfName(name) ?? 'csv',
  encoding: 'utf-8',
  delimiter: null,
  header: null,
  sheet: null,
  written: null,
})

interface Asked {
  readonly delimiter?: string | null | undefined
  readonly header?: boolean | null | undefined
}

/** Values that the user left open for the preview, and that were detected. */
const detectedIn = (found: Reading | undefined, asked: Asked | undefined) => ({
  delimiter: asked?.delimiter === null ? (found?.delimiter ?? null) : null,
  header: asked?.header === null ? (found?.header ?? null) : null,
})

/** The steps of a file, of a large one while it is uploaded: previewed, reviewed, loaded. What is chosen stays. */
export function NewLoad(props: Props) {
  const { upload, sent, catalog, database, table, warehouseId, links, more, onBusy, onDone } = props
  const { uploadId, name, sizeBytes } = upload
  const isArriving = sent !== null
  // The same file may have been looked at before, in a way that was chosen then.
  const [reading, setReading] = useState(() => upload.inspection?.reading ?? readingFor(name))
  const { inspection, last, look, lookAtIt, isLooking, isChanged } = useInspection({
    upload,
    warehouseId,
    reading,
  })
  const { target, setTarget, problems, mostRejected, tableName } = useTarget(table, name)
  const { columns, inTable, change } = useChosenColumns({ found: last, catalog, database, target })
  const error = look.error?.message ?? (inspection?.state === 'failed' ? inspection.error : '')
  const isRead = !isChanged && !isLooking
  const isShown = isRead && error === ''
  const { makesTable, widens, writes } = target
  const loaded = columns?.flatMap(({ into }) => into ?? []) ?? []
  const keys = target.keys.filter((key) => loaded.includes(key))
  const into = { warehouseId, catalog, databaseName: database, tableName, makesTable, widens, writes, keys }
  const isReady = isShown && columns && tableName !== '' && mostRejected !== null
  const order = isReady ? { uploadId, columns, mostRejected, ...into } : null
  const likeThis = last ? readingLikeFirst(reading, last) : reading
  const task = useNewTask({ order, reading: likeThis, fileName: name, isArriving })
  const start = () => {
    task.setRefusal(isRead && error !== '' ? error : undefined)
    if (!isShown || !problems.accept()) return
    if (tableName === '') return task.setRefusal(t('load.target.tableMissing'))
    if (writes === 'upsert' && keys.length === 0) return task.setRefusal(t('load.target.keysMissing'))
    task.choose()
  }

  const leaveOut = (rows: number) => {
    if ((mostRejected ?? 0) < rows) setTarget({ ...target, mostRejected: String(LIMITS.rejectedRows) })
  }
  /** The type that all but a few values have, and what becomes of these. */
  const choose = (at: number, spoiled: SpoiledType, choice: SpoiledChoice) => {
    if (choice === 'text')
      return change(at, { type: last?.columns[at]?.type ?? 'VARCHAR', misfits: 'reject' })
    change(at, { type: spoiled.type, misfits: choice })
    setReading(withDateFormat(reading, spoiled.format))
    if (choice === 'reject') leaveOut(spoiled.misfits)
  }
  return (
    <>
      <LoadPhases
        upload={sent === null ? null : (sent / sizeBytes) * 100}
        columns={error !== '' ? 'failed' : isLooking || !last ? 'detecting' : 'detected'}
        sampledBytes={last?.sampledBytes ?? null}
        load={task.phase}
      />
      <div className={styles['screen']}>
        <div className={styles['settings']}>
          <ReadingPanel
            reading={reading}
            sheets={last?.sheets ?? []}
            detected={detectedIn(last?.reading, look.variables?.reading)}
            onChange={setReading}
            onLook={lookAtIt}
            isLooking={isLooking}
            error={error}
          />
          {last && (
            <TargetPanel
              catalog={catalog}
              database={database}
              target={target}
              loaded={loaded}
              isSample={last.sampledBytes !== null}
              watched={problems.of}
              onChange={setTarget}
            />
          )}
        </div>
        <PreviewPanel inspection={last} isLooking={isLooking} />
      </div>
      {last && columns && (
        <>
          <ColumnsPanel
            inspection={last}
            columns={columns}
            table={makesTable ? null : inTable}
            onChange={change}
          >
            <BrokenRows
              broken={last.broken}
              mostRejected={mostRejected ?? 0}
              onLeaveOut={() => leaveOut(last.broken.count)}
            />
            <DecimalCommas found={last.decimalCommas} reading={reading} onChoose={setReading} />
            {makesTable && <SpoiledColumns inspection={last} columns={columns} onChoose={choose} />}
          </ColumnsPanel>
          {more.length > 0 && (
            <MoreFiles files={more} firstName={name} first={task.loadedAs} onBusy={onBusy} />
          )}
          <EndOfLoad task={task} isRead={isRead} links={links} onStart={start} onDone={onDone} />
        </>
      )}
    </>
  )
}
