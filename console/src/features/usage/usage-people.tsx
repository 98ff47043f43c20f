import type { Output } from '@boathouse/contract/call'
import { usage } from '@boathouse/contract/usage'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Button, DataTable, ErrorState, Pager, Panel, Skeleton, type TableColumn } from '../../ui/index.ts'
import { CostlyStatements } from './costly-statements.tsx'
import { CostParts } from './cost-parts.tsx'
import styles from './usage.module.css'

type Person = Output<typeof usage.byUser>['users'][number]

const PAGE_SIZE = 20

interface Props {
  readonly month: string
  readonly accountId: string | undefined
  readonly showsAccount: boolean
}

/** By who ran statements, and by statement: of all, or of one of them. */
export function UsagePeople({ month, accountId, showsAccount }: Props) {
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<{ accountId: string; user: string }>()
  const { data, isError, refetch } = useCall(
    usage.byUser,
    { month, page, pageSize: PAGE_SIZE, ...(accountId ? { accountId } : {}) },
    { silent: true, placeholderData: (before) => before },
  )
  return (
    <>
      <Panel title={t('usage.explain.byUser')}>
        {isError && <ErrorState title={t('usage.failed')} onRetry={() => void refetch()} />}
        {!data && !isError && <Skeleton height={120} />}
        {data && (
          <div className={styles['part']}>
            <DataTable
              label={t('usage.explain.byUser')}
              rows={data.users}
              rowKey={(one) => `${one.accountId} ${one.user}`}
              columns={columnsOf({ showsAccount, onOpen: setOpened })}
            />
            <CostParts parts={data} />
            <Pager
              label={t('usage.explain.byUser')}
              page={page}
              pageSize={PAGE_SIZE}
              total={data.count}
              onPage={setPage}
            />
          </div>
        )}
      </Panel>
      <Panel
        title={opened ? t('usage.explain.statementsOf', { user: opened.user }) : t('usage.explain.costliest')}
        actions={
          opened && <Button onClick={() => setOpened(undefined)}>{t('usage.explain.ofEverybody')}</Button>
        }
      >
        <div className={styles['part']}>
          <CostlyStatements
            key={opened ? `${opened.accountId} ${opened.user}` : ''}
            question={{ month, ...(accountId ? { accountId } : {}), ...opened }}
          />
        </div>
      </Panel>
    </>
  )
}

interface Looks {
  readonly showsAccount: boolean
  readonly onOpen: (person: { accountId: string; user: string }) => void
}

/** In a function: the texts of the page are there when it is shown. */
const columnsOf = ({ showsAccount, onOpen }: Looks): TableColumn<Person>[] => [
  {
    key: 'user',
    header: t('usage.explain.user'),
    cell: (one) => <Name person={one} onOpen={onOpen} />,
  },
  ...(showsAccount
    ? [{ key: 'account', header: t('usage.columns.account'), cell: ({ account }: Person) => account }]
    : []),
  {
    key: 'statements',
    header: t('usage.explain.statements'),
    align: 'end',
    cell: ({ statements }) => statements,
  },
  { key: 'ccu', header: t('usage.columns.ccu'), align: 'end', cell: ({ ccu }) => ccu },
  { key: 'usd', header: t('usage.columns.usd'), align: 'end', cell: ({ usd }) => usd },
]

function Name({ person, onOpen }: { person: Person; onOpen: Looks['onOpen'] }) {
  const { accountId, user } = person
  if (user === null) return t('usage.explain.unknownUser')
  return (
    <Button
      size="sm"
      variant="subtle"
      className={styles['opens']}
      onClick={() => onOpen({ accountId, user })}
    >
      {user}
    </Button>
  )
}
