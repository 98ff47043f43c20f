import type { LoadColumn, Reading, SpoiledType, Upload } from '@boathouse/contract/load'
import { formatOfName, isSampled, load } from '@boathouse/contract/load'
import { LIMITS } from '@boathouse/contract/limits'
import { schema } from '@boathouse/contract/schema'
import { ObjectPart } from '@boathouse/contract/schema-objects'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { ruleOf } from '../../lib/form.ts'
import { useProblems } from '../../ui/index.ts'
import { columnsOfExisting, columnsOfNew, withColumn } from './chosen-columns.ts'
import { ColumnsPanel } from './columns-panel.tsx'
import { LoadPhases } from './load-phases.tsx'
import { ReadingPanel } from './reading-panel.tsx'
import { StartLoad, type Target, TargetPanel } from './target-panel.tsx'
import { useNewTask } from './use-new-task.ts'

interface Props {
  readonly upload: Upload
  /** Bytes that have arrived; null: all of them. */
  readonly sent: number | null
  readonly catalog: string
  readonly database: string
  /** Chosen by the page that led here. */
  readonly table: string | undefined
  readonly warehouseId: string
  readonly onStarted: () => void
}

const LOOK_EVERY_MS = 1_000

const readingFor = (name: string): Reading => ({
  format: formatOfName(name) ?? 'csv',
  encoding: 'utf-8',
  delimiter: null,
  header: null,
  sheet: null,
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
const READING_PARTS = ['format', 'encoding', 'delimiter', 'header', 'sheet'] as const

const isSameReading = (one: Reading, other: Reading): boolean =>
  READING_PARTS.every((part) => one[part] === other[part])

/** The name of a file as that of a table. */
const tableFor = (name: string): string =>
  name
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

/** The preview of a file: started at once for a file without one, and again on request. */
function useInspection({
  upload,
  warehouseId,
  reading,
}: Pick<Props, 'upload' | 'warehouseId'> & { reading: Reading }) {
  const { uploadId } = upload
  const [looked, setLooked] = useState(reading)
  const look = useAction(load.inspect, { refreshes: [load.upload], silent: true, isOwnDoing: false })
  const { data = upload } = useCall(
    load.upload,
    { uploadId },
    {
      // A request from before the preview started may be answered afterwards, with the earlier state.
      enabled: upload.inspection !== null || look.isSuccess,
      refetchInterval: ({ state }) => (state.data?.inspection?.state === 'running' ? LOOK_EVERY_MS : false),
    },
  )
  const { inspection } = data
  const lookAtIt = () =>
    look.mutate({ uploadId, warehouseId, reading }, { onSuccess: () => setLooked(reading) })
  const lookFirst = useEffectEvent(() => {
    if (upload.inspection === null) lookAtIt()
  })
  useEffect(() => lookFirst(), [])
  return {
    inspection,
    look,
    lookAtIt,
    isLooking: look.isPending || inspection?.state === 'running',
    /** It would be read in another way than the one that was looked at. */
    isChanged: !isSameReading(reading, looked),
  }
}

/** The steps of a file, of a large one while it is uploaded: previewed, reviewed, loaded. */
export function NewLoad({ upload, sent, catalog, database, table, warehouseId, onStarted }: Props) {
  const { uploadId, name, sizeBytes } = upload
  const isArriving = sent !== null
  // The same file may have been looked at before, in a way that was chosen then.
  const [reading, setReading] = useState(() => upload.inspection?.reading ?? readingFor(name))
  const { inspection, look, lookAtIt, isLooking, isChanged } = useInspection({ upload, warehouseId, reading })
  const [target, setTarget] = useState<Target>(() => ({
    makesTable: table === undefined,
    tableName: table ?? tableFor(name),
    mostRejected: '0',
    widens: true,
  }))
  const [changed, setChanged] = useState<{ readonly of: string; readonly columns: LoadColumn[] } | null>(null)
  const inTable = useTableColumns({ catalog, database, target })
  const found = inspection?.state === 'finished' ? inspection : null
  // The choice is for these columns and this table; it does not apply to others.
  const of = JSON.stringify([found?.columns, target.makesTable ? '' : target.tableName, inTable])
  const proposed =
    found &&
    (target.makesTable ? columnsOfNew(found.columns) : inTable && columnsOfExisting(found.columns, inTable))
  const columns = changed?.of === of ? changed.columns : proposed

  const mostRejected = numberIn(target.mostRejected)
  const tableName = target.tableName.trim()
  const problems = useProblems({
    tableName: target.makesTable ? nameProblem(tableName) : undefined,
    mostRejected:
      mostRejected === null ? t('load.target.notANumber', { most: LIMITS.rejectedRows }) : undefined,
  })

  const isReady = !isChanged && !isLooking && columns && tableName !== '' && mostRejected !== null
  const { makesTable, widens } = target
  const into = { warehouseId, catalog, databaseName: database, tableName, makesTable, widens }
  const order = isReady ? { uploadId, columns, mostRejected, ...into } : null
  const task = useNewTask({ order, isArriving, onStarted })
  const start = () => {
    task.setRefusal(undefined)
    if (isChanged || isLooking)
      return task.setRefusal(t('load.reading.changed', { again: t('load.reading.again') }))
    if (!problems.accept()) return
    if (tableName === '') return task.setRefusal(t('load.target.tableMissing'))
    task.choose()
  }

  /** The type that all but a few values have, and these rows are left out. */
  const narrow = (at: number, { type }: SpoiledType) => {
    if (!columns) return
    setChanged({ of, columns: withColumn(columns, at, { type }) })
    if (mostRejected === 0) setTarget({ ...target, mostRejected: String(LIMITS.rejectedRows) })
  }
  const error = look.error?.message ?? (inspection?.state === 'failed' ? inspection.error : '')
  return (
    <>
      <LoadPhases
        upload={sent === null ? null : (sent / sizeBytes) * 100}
        columns={error !== '' ? 'failed' : found ? 'detected' : 'detecting'}
        sampledBytes={isSampled(reading.format, sizeBytes) ? LIMITS.sampleBytes : null}
        load={task.isStarting ? 'starting' : task.isWaiting ? 'chosen' : 'open'}
      />
      <ReadingPanel
        reading={reading}
        sheets={inspection?.sheets ?? []}
        detected={detectedIn(found?.reading, look.variables?.reading)}
        onChange={setReading}
        onLook={lookAtIt}
        isLooking={isLooking}
        error={error}
      />
      {found && (
        <TargetPanel
          catalog={catalog}
          database={database}
          target={target}
          isSample={found.sampledBytes !== null}
          watched={problems.of}
          onChange={setTarget}
        />
      )}
      {found && columns && (
        <>
          <ColumnsPanel
            inspection={found}
            columns={columns}
            table={target.makesTable ? null : (inTable ?? [])}
            onChange={(at, part) => setChanged({ of, columns: withColumn(columns, at, part) })}
            onNarrow={narrow}
          />
          <StartLoad
            refusal={task.refusal}
            isStarting={task.isStarting}
            isChosen={task.isWaiting}
            onStart={start}
            onChange={task.unchoose}
          />
        </>
      )}
    </>
  )
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
