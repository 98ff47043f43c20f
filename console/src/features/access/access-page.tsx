import '../../i18n/access.ts'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { Page, PageHeader, Tabs } from '../../ui/index.ts'
import { RoleList } from './role-list.tsx'
import { UserList } from './user-list.tsx'

/** The part of the lists that is in the address. */
interface AccessPageSearch {
  readonly tab?: string
  readonly search?: string
  readonly page?: string
}

export interface ListProps {
  readonly search: string
  readonly page: number
  readonly onSearch: (search: string) => void
  readonly onPage: (page: number) => void
  readonly onTotal: (total: number) => void
  readonly onOpen: (kind: 'user' | 'role', name: string) => void
}

interface Props {
  readonly shown: AccessPageSearch
  readonly onShow: (shown: AccessPageSearch) => void
  readonly onOpen: ListProps['onOpen']
  readonly businessMailOnly: boolean
}

const pageOf = (text: string | undefined): number => (/^[1-9]\d{0,6}$/.test(text ?? '') ? Number(text) : 1)

export function AccessPage({ shown, onShow, onOpen, businessMailOnly }: Props) {
  const tab = shown.tab === 'user' ? 'user' : 'role'
  const [total, setTotal] = useState<number | null>(null)
  const search = shown.search ?? ''
  const list: ListProps = {
    search,
    page: pageOf(shown.page),
    onSearch: (text) => onShow({ tab, search: text }),
    onPage: (page) => onShow({ tab, search, page: String(page) }),
    onTotal: setTotal,
    onOpen,
  }
  const count = total !== null && t(`access.${tab}.facts`, { count: total })
  return (
    <Page>
      <PageHeader title={t('access.title')} facts={[count]} />
      <Tabs
        label={t('access.tabs.label')}
        value={tab}
        onChange={(next) => {
          setTotal(null)
          onShow({ tab: next })
        }}
        items={[
          { value: 'role', label: t('access.tabs.role'), content: <RoleList {...list} /> },
          {
            value: 'user',
            label: t('access.tabs.user'),
            content: <UserList {...list} businessMailOnly={businessMailOnly} />,
          },
        ]}
      />
    </Page>
  )
}
