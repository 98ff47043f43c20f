import { type Invoice, type InvoiceState, payment } from '@boathouse/contract/payment'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import {
  Button,
  DataTable,
  EmptyState,
  ErrorState,
  Pager,
  Skeleton,
  StateDot,
  type TableColumn,
  type Tone,
} from '../../ui/index.ts'
import { ExplainBill } from './explain-bill.tsx'
import { monthName } from './month-names.ts'
import { saveFile } from '../../lib/save-file.ts'
import styles from './usage.module.css'

const PAGE_SIZE = 12

const TONES: Readonly<Record<InvoiceState, Tone>> = {
  open: 'accent',
  charging: 'accent',
  retrying: 'warn',
  unpaid: 'err',
  paid: 'ok',
  elsewhere: 'neutral',
}

export function Invoices() {
  const [page, setPage] = useState(1)
  const [explained, setExplained] = useState<Invoice>()
  const { data, isError, refetch } = useCall(
    payment.listInvoices,
    { page, pageSize: PAGE_SIZE },
    { silent: true, placeholderData: (before) => before },
  )
  if (isError) return <ErrorState title={t('usage.invoices.failed')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  if (data.total === 0)
    return <EmptyState title={t('usage.invoices.emptyTitle')}>{t('usage.invoices.empty')}</EmptyState>
  return (
    <div className={styles['part']}>
      <DataTable
        label={t('usage.invoices.title')}
        rows={data.invoices}
        rowKey={({ invoiceId }) => invoiceId}
        columns={columnsOf(setExplained)}
      />
      <Pager
        label={t('usage.invoices.title')}
        page={page}
        pageSize={PAGE_SIZE}
        total={data.total}
        onPage={setPage}
      />
      {explained && <ExplainBill invoice={explained} onClose={() => setExplained(undefined)} />}
    </div>
  )
}

/** In a function: the texts of the page are there when it is shown. */
const columnsOf = (onExplain: (invoice: Invoice) => void): TableColumn<Invoice>[] => [
  { key: 'month', header: t('usage.invoices.month'), cell: ({ month }) => monthName(month) },
  { key: 'number', header: t('usage.invoices.number'), cell: ({ number }) => number },
  { key: 'state', header: t('usage.invoices.state'), cell: (invoice) => <State invoice={invoice} /> },
  { key: 'ccu', header: t('usage.invoices.ccu'), align: 'end', cell: ({ ccu }) => ccu },
  { key: 'usage', header: t('usage.invoices.usage'), align: 'end', cell: ({ usageUsd }) => usageUsd },
  { key: 'due', header: t('usage.invoices.due'), align: 'end', cell: ({ dueUsd }) => dueUsd },
  {
    key: 'files',
    header: t('usage.invoices.files'),
    align: 'end',
    cell: (invoice) => <Files invoice={invoice} onExplain={onExplain} />,
  },
]

function State({ invoice }: { invoice: Invoice }) {
  const { state, nextAttemptAt } = invoice
  return (
    <>
      <StateDot tone={TONES[state]}>{t(`usage.invoices.states.${state}`)}</StateDot>
      {nextAttemptAt && (
        <p className={styles['note']}>{t('usage.invoices.nextTry', { at: formatDateTime(nextAttemptAt) })}</p>
      )}
    </>
  )
}

function Files({ invoice, onExplain }: { invoice: Invoice; onExplain: (invoice: Invoice) => void }) {
  const fetchFile = useAction(payment.invoiceFile)
  const kinds = [
    ['invoice', t('usage.invoices.pdf')],
    ...(invoice.hasReceipt ? [['receipt', t('usage.invoices.receipt')] as const] : []),
    ['csv', t('usage.invoices.csv')],
  ] as const
  const { invoiceId, number } = invoice
  return (
    <span className={styles['tools']}>
      <Button size="sm" aria-label={t('usage.explain.openOf', { number })} onClick={() => onExplain(invoice)}>
        {t('usage.explain.open')}
      </Button>
      {kinds.map(([file, label]) => (
        <Button
          key={file}
          size="sm"
          aria-label={t('usage.invoices.download', { file: label, number })}
          loading={fetchFile.isPending && fetchFile.variables.file === file}
          onClick={() => fetchFile.mutate({ invoiceId, file }, { onSuccess: saveFile })}
        >
          {label}
        </Button>
      ))}
    </span>
  )
}
