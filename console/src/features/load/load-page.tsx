import '../../i18n/load.ts'
import { DEFAULT_WAREHOUSE_NAME, warehouse } from '@boathouse/contract/warehouse'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Page, PageHeader, Refusal, Select, Skeleton } from '../../ui/index.ts'
import { FilePanel } from './file-panel.tsx'
import type { LoadLinks } from './load-outcome.tsx'
import { NewLoad } from './new-load.tsx'
import { PipeList } from './pipes/pipe-list.tsx'
import { TaskList } from './task-list.tsx'
import { useUpload } from './use-upload.ts'

interface Props {
  readonly catalog: string
  readonly database: string
  /** Chosen by the page that led here. */
  readonly table: string | undefined
  readonly statementPath: (queryId: string) => string
  readonly pipePath: (name: string) => string
  readonly links: LoadLinks
}

/** Files are loaded into a database here, and the loads are listed below. */
export function LoadPage({ catalog, database, table, statementPath, pipePath, links }: Props) {
  const { uploading, start, fetch, cancel } = useUpload()
  const [more, setMore] = useState<readonly File[]>([])
  const [isBusy, setBusy] = useState(false)
  const choose = (files: readonly File[]) => {
    setMore(files.slice(1))
    start(files)
  }
  const chooseAddress = (address: string) => {
    setMore([])
    fetch(address)
  }
  const [chosen, setChosen] = useState<string | null>(null)
  const { data } = useCall(warehouse.list, {})
  const warehouses = data?.warehouses.filter(({ isUsable }) => isUsable) ?? []
  const first = warehouses.find(({ name }) => name === DEFAULT_WAREHOUSE_NAME) ?? warehouses[0]
  const warehouseId = chosen ?? first?.warehouseId ?? null
  return (
    <Page>
      <PageHeader title={t('load.title')} facts={[t('load.into', { database })]} />
      {!data && <Skeleton height={60} />}
      {data && warehouses.length === 0 && <Refusal text={t('load.noWarehouse')} />}
      {warehouseId && (
        <>
          <Select
            label={t('load.warehouse')}
            width={280}
            options={warehouses.map((one) => ({ value: one.warehouseId, label: one.name }))}
            value={warehouseId}
            onChange={setChosen}
          />
          <FilePanel
            uploading={uploading}
            isBusy={isBusy}
            onFiles={choose}
            onFetch={chooseAddress}
            onCancel={cancel}
          />
          {uploading.state !== 'none' && uploading.upload && (
            <NewLoad
              key={uploading.upload.uploadId}
              upload={uploading.upload}
              sent={uploading.state === 'sending' ? uploading.sent : null}
              catalog={catalog}
              database={database}
              table={table}
              warehouseId={warehouseId}
              links={links}
              more={more}
              onBusy={setBusy}
              onDone={isBusy ? null : cancel}
            />
          )}
        </>
      )}
      <TaskList catalog={catalog} database={database} statementPath={statementPath} />
      <PipeList catalog={catalog} database={database} pipePath={pipePath} />
    </Page>
  )
}
