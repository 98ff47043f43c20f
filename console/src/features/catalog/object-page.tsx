import '../../i18n/catalog.ts'
import { schema } from '@boathouse/contract/schema'
import type { ObjectDetail } from '@boathouse/contract/schema-objects'
import { quoteIdentifier } from '@boathouse/sql'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { send, useCall } from '../../lib/api.ts'
import { useNewQuery } from '../../lib/new-query.ts'
import { formatBytes, formatCount } from '../../lib/format.ts'
import { IconDatabaseImport, IconDots, IconPencil, IconTerminal2, IconTrash } from '../../ui/icons.ts'
import {
  Badge,
  Button,
  DetailPage,
  IconButton,
  Menu,
  Page,
  PageHeader,
  Skeleton,
  Tabs,
} from '../../ui/index.ts'
import { AccessTab } from './access-tab.tsx'
import { ColumnsTab } from './columns-tab.tsx'
import { CommentObject, type Described } from './comment-object.tsx'
import { CreateStatementTab } from './create-statement-tab.tsx'
import { DropObject } from './drop-object.tsx'
import { FactsSide } from './facts-side.tsx'
import { FetchFailed } from './fetch-failed.tsx'
import { LineageTab } from './lineage-tab.tsx'
import { type ShownProps, usePlaces } from './places.ts'
import { RefreshActions } from './refresh-actions.tsx'
import { RefreshTab } from './refresh-tab.tsx'
import { RenameObject } from './rename-object.tsx'
import { SampleTab } from './sample-tab.tsx'
import { statisticsSql } from './statistics-sql.ts'
import { StatementsTab } from './statements-tab.tsx'
import { inputOf, type ThisObject, typeName } from './this-object.ts'
import { useLiveSchema } from './use-live-schema.ts'

interface Props extends ShownProps {
  readonly of: ThisObject
  readonly onGone: () => void
}

type Open = { readonly kind: 'drop' | 'rename' } | { readonly kind: 'comment'; readonly what: Described }

/** All that is known of one table or view. */
export function ObjectPage({ of, shown, onShow, onGone }: Props) {
  useLiveSchema()
  const places = usePlaces()
  const { data: found, error, refetch } = useCall(schema.describe, inputOf(of), { silent: true })
  const [open, setOpen] = useState<Open | null>(null)
  if (error)
    return (
      <Page>
        <PageHeader title={of.name} />
        <FetchFailed error={error} what={t('catalog.detail.this')} onRetry={() => void refetch()} />
      </Page>
    )
  if (!found)
    return (
      <Page>
        <Skeleton width={240} height={28} />
        <Skeleton height={220} />
      </Page>
    )
  const mayAlter = found.actions.includes('alter')
  const isMaterialized = of.type === 'materialized_view'
  const tabs = [
    {
      value: 'columns',
      label: t('catalog.detail.columns', { count: found.columnCount }),
      content: (
        <ColumnsTab
          of={of}
          mayAlter={mayAlter && !isMaterialized}
          onComment={(what) => setOpen({ kind: 'comment', what })}
        />
      ),
    },
    ...(isMaterialized
      ? [
          {
            value: 'refresh',
            label: t('catalog.materialized.tab'),
            content: <RefreshTab of={of} />,
          },
        ]
      : []),
    {
      value: 'sample',
      label: t('catalog.detail.sample'),
      content: <SampleTab of={of} fixed={found.fixed} />,
    },
    {
      value: 'statement',
      label: t('catalog.detail.createStatement'),
      content: <CreateStatementTab of={of} />,
    },
    { value: 'lineage', label: t('catalog.lineage.title'), content: <LineageTab of={of} /> },
    { value: 'statements', label: t('catalog.statements.title'), content: <StatementsTab of={of} /> },
    { value: 'access', label: t('catalog.detail.access'), content: <AccessTab of={of} /> },
  ]
  const close = () => setOpen(null)
  return (
    <DetailPage
      sideLabel={t('catalog.about.of', { name: found.name })}
      side={<FactsSide of={of} found={found} />}
    >
      <PageHeader
        title={found.name}
        state={<Badge>{typeName(of.type)}</Badge>}
        facts={[rowsOf(found), sizeOf(found)]}
        actions={<Actions of={of} found={found} onOpen={setOpen} />}
      />
      <Tabs
        label={t('catalog.detail.tabs', { name: found.name })}
        value={tabs.some(({ value }) => value === shown.tab) && shown.tab ? shown.tab : 'columns'}
        onChange={(tab) => onShow({ tab })}
        items={tabs}
      />
      {open?.kind === 'drop' && <DropObject of={of} onClose={close} onDropped={onGone} />}
      {open?.kind === 'rename' && (
        <RenameObject
          of={of}
          onClose={close}
          onRenamed={(name) => places.go(places.objectOf({ ...of, name }))}
        />
      )}
      {open?.kind === 'comment' && <CommentObject of={of} what={open.what} onClose={close} />}
    </DetailPage>
  )
}

/** How many rows, and whether they were counted. */
function rowsOf({ rows }: ObjectDetail) {
  if (!rows) return null
  const text = t(rows.exact ? 'catalog.detail.rows' : 'catalog.detail.rowsEstimated', {
    count: rows.count,
    figure: formatCount(rows.count),
  })
  return <span title={rows.count.toLocaleString('en')}>{text}</span>
}

/** What it takes of the disk, and whether that was measured. */
function sizeOf({ size }: ObjectDetail) {
  if (!size) return null
  const figure = formatBytes(size.bytes)
  const text = size.exact ? figure : t('catalog.detail.sizeEstimated', { figure })
  return <span title={t('catalog.detail.sizeNote')}>{text}</span>
}

interface ActionProps {
  readonly of: ThisObject
  readonly found: ObjectDetail
  readonly onOpen: (open: Open) => void
}

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

function Actions({ of, found, onOpen }: ActionProps) {
  const { openTab, go, loadInto } = usePlaces()
  const create = useNewQuery()
  const path = [of.catalog, of.database, found.name].map(quoteIdentifier).join('.')
  /** Written and not run: it reads the whole table, which costs. */
  const statistics = async () => {
    try {
      const { columns } = await send(schema.columns, inputOf(of))
      const named = t('catalog.statistics.name', { name: found.name }).slice(0, 32).trim()
      create.mutate({ tabName: named, sql: statisticsSql(of, columns) }, { onSuccess: openTab })
    } catch {
      // Why the columns could not be read is said by a toast.
    }
  }
  const query = () =>
    create.mutate(
      {
        tabName: found.name.slice(0, 32).trim() || t('catalog.table'),
        sql: `SELECT * FROM ${path} LIMIT 100;`,
      },
      { onSuccess: openTab },
    )
  const whyNot = (action: 'alter' | 'drop'): string | undefined =>
    found.actions.includes(action)
      ? undefined
      : found.fixed || t('catalog.detail.needs', { privilege: action.toUpperCase(), name: found.name })
  return (
    <>
      {of.type === 'materialized_view' && <RefreshActions of={of} actions={found.actions} />}
      <Button
        variant="primary"
        leftIcon={<IconTerminal2 size={16} aria-hidden />}
        loading={create.isPending}
        onClick={query}
      >
        {t('catalog.detail.query')}
      </Button>
      <Menu
        label={t('catalog.actionsOf', { name: found.name })}
        width={208}
        entries={[
          ...(of.type === 'table'
            ? [
                {
                  label: t('catalog.loadData'),
                  icon: <IconDatabaseImport {...ICON} />,
                  reason: found.fixed || undefined,
                  onSelect: () => go(loadInto({ database: of.database, table: found.name })),
                },
              ]
            : []),
          {
            label: t('catalog.statistics.action'),
            icon: <IconTerminal2 {...ICON} />,
            onSelect: () => void statistics(),
          },
          {
            label: t('catalog.comment.action'),
            icon: <IconPencil {...ICON} />,
            reason: whyNot('alter'),
            onSelect: () => onOpen({ kind: 'comment', what: { comment: found.comment } }),
          },
          {
            label: t('catalog.rename.action'),
            icon: <IconPencil {...ICON} />,
            reason: whyNot('alter'),
            onSelect: () => onOpen({ kind: 'rename' }),
          },
          { kind: 'divider' },
          {
            label: t('catalog.drop.action'),
            icon: <IconTrash {...ICON} />,
            danger: true,
            reason: whyNot('drop'),
            onSelect: () => onOpen({ kind: 'drop' }),
          },
        ]}
        trigger={
          <IconButton label={t('catalog.actionsOf', { name: found.name })}>
            <IconDots size={16} aria-hidden />
          </IconButton>
        }
      />
    </>
  )
}
