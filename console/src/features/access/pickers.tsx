import { perms } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSettled } from '../../lib/settled.ts'
import { Chips, Select } from '../../ui/index.ts'
import styles from './access.module.css'

interface Props {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string) => void
  /** Not offered: they have it already, or it would be a circle. */
  readonly without?: readonly string[]
  readonly error?: string | undefined
}

/** As many as one call answers; a search finds the others. */
const MOST = 100
const LONGEST_SEARCH = 64

function useSearch() {
  const [text, setText] = useState('')
  const settled = useSettled(text)
  return { search: settled.slice(0, LONGEST_SEARCH), isSettled: settled === text, onSearch: setText }
}

export function RolePicker({ without = [], ...rest }: Props) {
  const { search, isSettled, onSearch } = useSearch()
  const { data, isFetching } = useCall(
    perms.listRoles,
    { search, pageSize: MOST },
    { placeholderData: (before) => before },
  )
  const found = (data?.list ?? []).filter(({ role }) => !without.includes(role))
  return (
    <Select
      {...rest}
      searchable
      onSearch={onSearch}
      isSearching={isFetching || !isSettled}
      placeholder={t('access.pick.searchRole')}
      options={found.map(({ role }) => ({ value: role, label: role }))}
    />
  )
}

export function UserPicker({ without = [], ...rest }: Props) {
  const { search, isSettled, onSearch } = useSearch()
  const { data, isFetching } = useCall(
    perms.listUsers,
    { search, pageSize: MOST },
    { placeholderData: (before) => before },
  )
  const found = (data?.list ?? []).filter(({ user }) => !without.includes(user))
  return (
    <Select
      {...rest}
      searchable
      onSearch={onSearch}
      isSearching={isFetching || !isSettled}
      placeholder={t('access.pick.searchUser')}
      options={found.map(({ user, email }) => ({ value: user, label: user, hint: email }))}
    />
  )
}

interface RolesProps {
  readonly value: readonly string[]
  readonly onChange: (roles: string[]) => void
}

/** Several roles: each is added by a choice, and taken away by its button. */
export function RolesField({ value, onChange }: RolesProps) {
  return (
    <div className={styles['roles']}>
      <RolePicker
        label={t('access.pick.addRole')}
        value={null}
        without={['public', ...value]}
        onChange={(role) => onChange([...value, role])}
      />
      <Chips
        label={t('access.createUser.roles')}
        chips={value.map((role) => ({
          id: role,
          content: role,
          remove: {
            label: t('access.pick.removeRole', { role }),
            onClick: () => onChange(value.filter((one) => one !== role)),
          },
        }))}
      />
      <p className={styles['note']}>{t('access.createUser.rolesHelp')}</p>
    </div>
  )
}
