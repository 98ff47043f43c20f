import { type EffectiveGrant, type PathStep, perms } from '@boathouse/contract/perms'
import { Fragment, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSettled } from '../../lib/settled.ts'
import { IconArrowRight } from '../../ui/icons.ts'
import type { TableColumn } from '../../ui/index.ts'
import styles from './access.module.css'
import { Privileges } from './grants-list.tsx'
import { ListFrame, PAGE_SIZE } from './list-frame.tsx'
import { ToLink } from './to-link.tsx'

/** Everything that a user may do, with the way from them to the grant. */
export function EffectiveList({ user }: { user: string }) {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const { data } = useCall(
    perms.effectivePrivileges,
    { user, search: useSettled(search), page, pageSize: PAGE_SIZE },
    { placeholderData: (before) => before },
  )
  return (
    <>
      <ListFrame
        label={t('access.effective.title')}
        searchLabel={t('access.effective.search')}
        search={search}
        page={page}
        onSearch={(text) => {
          setSearch(text)
          setPage(1)
        }}
        onPage={setPage}
        found={data}
        columns={columns()}
        rowKey={({ objectText, path }) => [objectText, ...path.map(({ name }) => name)].join('\n')}
        empty={t('access.effective.empty')}
        why={t('access.effective.emptyWhy')}
      />
      <p className={styles['note']}>{t('access.effective.note')}</p>
    </>
  )
}

/** The first step is the user themselves, whose page it is. */
function Way({ path: [, ...roles] }: { path: readonly PathStep[] }) {
  if (roles.length === 0) return t('access.effective.directly')
  return (
    <span className={styles['badges']}>
      {roles.map(({ name }, index) => (
        <Fragment key={name}>
          {index > 0 && (
            <IconArrowRight size={14} stroke={1.6} role="img" aria-label={t('access.why.inherits')} />
          )}
          <ToLink kind="role" name={name} />
        </Fragment>
      ))}
    </span>
  )
}

const columns = (): readonly TableColumn<EffectiveGrant>[] => [
  {
    key: 'object',
    header: t('access.grants.column.object'),
    cell: ({ objectText }) => <code className={styles['object']}>{objectText}</code>,
  },
  {
    key: 'privileges',
    header: t('access.grants.column.privileges'),
    cell: (grant) => <Privileges {...grant} />,
  },
  { key: 'way', header: t('access.effective.way'), cell: ({ path }) => <Way path={path} /> },
  {
    key: 'by',
    header: t('access.grants.column.by'),
    cell: ({ grantedBy }) => grantedBy ?? t('access.grants.byNature'),
  },
]
