import { type Invoice, type InvoiceLine, payment } from '@boathouse/contract/payment'
import type { Output } from '@boathouse/contract/call'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatBytes, formatSeconds } from '../../lib/format.ts'
import {
  Button,
  DataTable,
  Dialog,
  EmptyState,
  ErrorState,
  Pager,
  Properties,
  Skeleton,
  type TableColumn,
} from '../../ui/index.ts'
import { CostlyStatements } from './costly-statements.tsx'
import { monthName } from './month-names.ts'
import styles from './usage.module.css'

type Hour = Output<typeof payment.lineHours>['hours'][number]

const LINES = 20
const HOURS = 24
const WIDTH = 920

const nameOf = ({ warehouseId, warehouse }: InvoiceLine): string =>
  warehouseId === null ? t('usage.explain.storage') : warehouse || t('usage.unnamed')
/** `2026-10-03 14:00`, UTC. */
const hourName = (hour: string): string => hour.slice(0, 16).replace('T', ' ')

/** From an invoice to its lines, to the hours of a warehouse or of storage, to the statements that ran in one of them. */
export function ExplainBill({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const [line, setLine] = useState<InvoiceLine>()
  const [hour, setHour] = useState<Hour>()
  const steps = [
    { name: t('usage.explain.all'), open: () => (setLine(undefined), setHour(undefined)), isLast: !line },
    ...(line ? [{ name: nameOf(line), open: () => setHour(undefined), isLast: !hour }] : []),
    ...(hour ? [{ name: hourName(hour.hour), open: () => {}, isLast: true }] : []),
  ]
  return (
    <Dialog
      open
      onClose={onClose}
      width={WIDTH}
      title={t('usage.explain.title', { number: invoice.number, usd: invoice.usageUsd })}
    >
      <div className={styles['part']}>
        <nav className={styles['tools']} aria-label={t('usage.explain.way')}>
          {steps.map(({ name, open, isLast }) => (
            <Button
              key={name}
              size="sm"
              variant={isLast ? 'default' : 'subtle'}
              aria-current={isLast ? 'step' : undefined}
              onClick={open}
            >
              {name}
            </Button>
          ))}
        </nav>
        {!line && <Lines invoice={invoice} onOpen={setLine} />}
        {line && !hour && <Hours line={line} onOpen={setHour} />}
        {line?.warehouseId && hour && (
          <CostlyStatements
            question={{
              month: line.month,
              accountId: line.accountId,
              warehouseId: line.warehouseId,
              hour: hour.hour,
            }}
          />
        )}
      </div>
    </Dialog>
  )
}

function Lines({ invoice, onOpen }: { invoice: Invoice; onOpen: (line: InvoiceLine) => void }) {
  const [page, setPage] = useState(1)
  const { data, isError, refetch } = useCall(
    payment.invoiceLines,
    { invoiceId: invoice.invoiceId, page, pageSize: LINES },
    { silent: true, placeholderData: (before) => before },
  )
  if (isError) return <ErrorState title={t('usage.explain.failed')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  return (
    <>
      <DataTable
        label={t('usage.explain.lines')}
        rows={data.lines}
        rowKey={({ lineId }) => lineId}
        columns={lineColumns(onOpen)}
      />
      <Pager
        label={t('usage.explain.lines')}
        page={page}
        pageSize={LINES}
        total={data.total}
        onPage={setPage}
      />
      <Properties
        items={[
          ...data.parts.map(({ kind, usd }) => [t(`usage.explain.parts.${kind}`), inUsd(usd)] as const),
          [t('usage.explain.parts.due'), inUsd(invoice.dueUsd)],
        ]}
      />
    </>
  )
}

function Hours({ line, onOpen }: { line: InvoiceLine; onOpen: (hour: Hour) => void }) {
  const [page, setPage] = useState(1)
  const { data, isError, refetch } = useCall(
    payment.lineHours,
    { lineId: line.lineId, page, pageSize: HOURS },
    { silent: true, placeholderData: (before) => before },
  )
  if (isError) return <ErrorState title={t('usage.explain.failed')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  if (data.total === 0)
    return <EmptyState title={t('usage.explain.noHours')}>{t('usage.explain.noHoursText')}</EmptyState>
  return (
    <>
      <DataTable
        label={t('usage.explain.hours')}
        rows={data.hours}
        rowKey={({ hour }) => hour}
        columns={line.warehouseId === null ? storedColumns() : hourColumns(onOpen)}
      />
      <p className={styles['note']}>{t('usage.explain.sum', { usd: data.usd })}</p>
      <Pager
        label={t('usage.explain.hours')}
        page={page}
        pageSize={HOURS}
        total={data.total}
        onPage={setPage}
      />
    </>
  )
}

const inUsd = (usd: string): string => t('usage.explain.usd', { usd })

function costOf({ usd, inTrial, discountPercent }: InvoiceLine): string {
  if (inTrial) return t('usage.explain.free', { usd })
  return discountPercent === '0' ? usd : t('usage.explain.less', { usd, percent: discountPercent })
}

/** In functions: the texts of the page are there when it is shown. */
const lineColumns = (onOpen: (line: InvoiceLine) => void): TableColumn<InvoiceLine>[] => [
  {
    key: 'what',
    header: t('usage.explain.what'),
    cell: (one) => (
      <Button size="sm" variant="subtle" className={styles['opens']} onClick={() => onOpen(one)}>
        {nameOf(one)}
      </Button>
    ),
  },
  { key: 'account', header: t('usage.columns.account'), cell: ({ account }) => account },
  { key: 'month', header: t('usage.month'), cell: ({ month }) => monthName(month) },
  { key: 'size', header: t('usage.columns.size'), cell: ({ size }) => size },
  {
    key: 'amount',
    header: t('usage.explain.amount'),
    align: 'end',
    cell: ({ ccu, gbMonths }) =>
      gbMonths === null ? t('usage.ccu', { ccu }) : t('usage.explain.gb', { gb: gbMonths }),
  },
  { key: 'price', header: t('usage.explain.price'), align: 'end', cell: ({ price }) => price },
  {
    key: 'usd',
    header: t('usage.columns.usd'),
    align: 'end',
    cell: costOf,
  },
]

const storedColumns = (): TableColumn<Hour>[] => [
  { key: 'hour', header: t('usage.explain.hour'), cell: ({ hour }) => hourName(hour) },
  {
    key: 'kept',
    header: t('usage.explain.kept'),
    align: 'end',
    cell: ({ bytes }) => (bytes === null ? '' : formatBytes(bytes)),
  },
  { key: 'usd', header: t('usage.columns.usd'), align: 'end', cell: ({ usd }) => usd },
]

const hourColumns = (onOpen: (hour: Hour) => void): TableColumn<Hour>[] => [
  {
    key: 'hour',
    header: t('usage.explain.hour'),
    cell: (one) => (
      <Button size="sm" variant="subtle" className={styles['opens']} onClick={() => onOpen(one)}>
        {hourName(one.hour)}
      </Button>
    ),
  },
  {
    key: 'charged',
    header: t('usage.columns.charged'),
    align: 'end',
    cell: ({ chargedSeconds }) => formatSeconds(chargedSeconds),
  },
  { key: 'ccu', header: t('usage.columns.ccu'), align: 'end', cell: ({ ccu }) => ccu },
  { key: 'usd', header: t('usage.columns.usd'), align: 'end', cell: ({ usd }) => usd },
]
