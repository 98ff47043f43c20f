import type { Inspection, LoadColumn, Reading, SpoiledType, Upload } from '@boathouse/contract/load'
import { formatOfName } from '@boathouse/contract/load'
import { LIMITS } from '@boathouse/contract/limits'
import { schema } from '@boathouse/contract/schema'
import { ObjectPart } from '@boathouse/contract/schema-objects'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { ruleOf } from '../../lib/form.ts'
import { useProblems } from '../../ui/index.ts'
import { BrokenRows } from './broken-rows.tsx'
import {
  type ChosenParts,
  columnsOfExisting,
  columnsOfNew,
  type TableColumn,
  withParts,
} from './chosen-columns.ts'
import { ColumnsPanel } from './columns-panel.tsx'
import { type LoadLinks, LoadOutcome } from './load-outcome.tsx'
import { LoadPhases } from './load-phases.tsx'
import styles from './load.module.css'
import { PreviewPanel } from './preview-panel.tsx'
import { ReadingPanel } from './reading-panel.tsx'
import { type SpoiledChoice, SpoiledColumns } from './spoiled-columns.tsx'
import { StartLoad, type Target, TargetPanel } from './target-panel.tsx'
import { useInspection } from './use-inspection.ts'
import { useNewTask } from './use-new-task.ts'
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
  /** It is loaded, and another file can be chosen. */
  readonly onDone: () => void
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

/** The name of a file as that of a table. */
const tableFor = (name: string): string =>
  name
    .replace(/\.(gz|zst|zip)$/i, '')
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 64)

const numberIn = (text: string): number | null => {
  const value = Number(text)
  return /^\d+$/.test(text.trim()) && value <= LIMITS.rejectedRows ? value : null
}

const nameProblem = (name: string): string | undefined =>
  name === '' ? t('load.target.nameMissing') : ruleOf(ObjectPart)(name, null)

/** The steps of a file, of a large one while it is uploaded: previewed, reviewed, loaded. What is chosen stays. */
export function NewLoad(props: Props) {
  const { upload, sent, catalog, database, table, warehouseId, links, onDone } = props
  const { uploadId, name, sizeBytes } = upload
  const isArriving = sent !== null
  // The same file may have been looked at before, in a way that was chosen then.
  const [reading, setReading] = useState(() => upload.inspection?.reading ?? readingFor(name))
  const { inspection, last, look, lookAtIt, isLooking, isChanged } = useInspection({
    upload,
    warehouseId,
    reading,
  })
  const [target, setTarget] = useState<Target>(() => ({
    makesTable: table === undefined,
    tableName: table ?? tableFor(name),
    mostRejected: '0',
    widens: true,
    writes: 'append',
    keys: [],
  }))
  const inTable = useTableColumns({ catalog, database, target })
  const { columns, change } = useChosenColumns({ found: last, inTable, target })

  const mostRejected = numberIn(target.mostRejected)
  const tableName = target.tableName.trim()
  const problems = useProblems({
    tableName: target.makesTable ? nameProblem(tableName) : undefined,
    mostRejected:
      mostRejected === null ? t('load.target.notANumber', { most: LIMITS.rejectedRows }) : undefined,
  })
  const error = look.error?.message ?? (inspection?.state === 'failed' ? inspection.error : '')
  const isShown = !isChanged && !isLooking && error === ''
  const { makesTable, widens, writes } = target
  const loaded = columns?.flatMap(({ into }) => into ?? []) ?? []
  const keys = target.keys.filter((key) => loaded.includes(key))
  const into = { warehouseId, catalog, databaseName: database, tableName, makesTable, widens, writes, keys }
  const isReady = isShown && columns && tableName !== '' && mostRejected !== null
  const order = isReady ? { uploadId, columns, mostRejected, ...into } : null
  const task = useNewTask({ order, isArriving })
  const start = () => {
    task.setRefusal(undefined)
    if (!isShown) return task.setRefusal(error || t('load.reading.changed'))
    if (!problems.accept()) return
    if (tableName === '') return task.setRefusal(t('load.target.tableMissing'))
    if (writes === 'upsert' && keys.length === 0) return task.setRefusal(t('load.target.keysMissing'))
    task.choose()
  }

  const leaveOut = () => {
    if (mostRejected === 0) setTarget({ ...target, mostRejected: String(LIMITS.rejectedRows) })
  }
  /** The type that all but a few values have, and what becomes of these. */
  const choose = (at: number, spoiled: SpoiledType, choice: SpoiledChoice) => {
    if (choice === 'text')
      return change(at, { type: last?.columns[at]?.type ?? 'VARCHAR', misfits: 'reject' })
    change(at, { type: spoiled.type, misfits: choice })
    setReading(withDateFormat(reading, spoiled.format))
    if (choice === 'reject') leaveOut()
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
            table={makesTable ? null : (inTable ?? [])}
            onChange={change}
          >
            <BrokenRows
              broken={last.broken}
              isLeftOut={(mostRejected ?? 0) >= last.broken.count}
              onLeaveOut={leaveOut}
            />
            {makesTable && <SpoiledColumns inspection={last} columns={columns} onChoose={choose} />}
          </ColumnsPanel>
          {task.taskId !== null && (
            <LoadOutcome
              key={task.taskId}
              taskId={task.taskId}
              links={links}
              onOver={task.over}
              onDone={onDone}
            />
          )}
          {!task.isUnderWay && (
            <StartLoad
              refusal={task.refusal}
              isStarting={task.isStarting}
              isChosen={task.isWaiting}
              isAgain={task.taskId !== null}
              onStart={start}
              onChange={task.unchoose}
            />
          )}
        </>
      )}
    </>
  )
}

interface Choosing {
  readonly found: Inspection | null
  /** Of a table that is there. */
  readonly inTable: readonly TableColumn[] | undefined
  readonly target: Target
}

/** The columns as they are detected, with what was chosen in place of that. */
function useChosenColumns({ found, inTable, target }: Choosing) {
  const [chosen, setChosen] = useState<{ readonly of: string; readonly parts: ChosenParts } | null>(null)
  // The choice is for these columns and this table; it does not apply to others.
  const names = found?.columns.map(({ name }) => name)
  const of = JSON.stringify([names, target.makesTable ? '' : target.tableName])
  const parts = chosen?.of === of ? chosen.parts : {}
  const proposed =
    found &&
    (target.makesTable ? columnsOfNew(found.columns) : inTable && columnsOfExisting(found.columns, inTable))
  return {
    columns: proposed ? withParts(proposed, parts) : null,
    change: (at: number, part: Partial<LoadColumn>) =>
      setChosen((before) => {
        const known = before?.of === of ? before.parts : {}
        return { of, parts: { ...known, [at]: { ...known[at], ...part } } }
      }),
  }
}

/** Of the table that is there; undefined while that is not known. */
function useTableColumns({
  catalog,
  database,
  target,
}: Pick<Props, 'catalog' | 'database'> & { target: Target }) {
  const isWanted = !target.makesTable && target.tableName !== ''
  const { data } = useCall(
    schema.columns,
    { catalog, databaseName: database, tableName: target.tableName || '-' },
    { enabled: isWanted, silent: true },
  )
  return isWanted ? data?.columns.map(({ name, type }) => ({ name, type })) : undefined
}
