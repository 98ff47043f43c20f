import { perms } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSettled } from '../../lib/settled.ts'
import { IconX } from '../../ui/icons.ts'
import { IconButton, Select } from '../../ui/index.ts'
import styles from './access.module.css'

interface Props {
  readonly label: string
  readonly value: string | null
  readonly onChange: (value: string) => void
  /** Not offered: they have it already, or it would be a circle. */
  readonly without?: readonly string[]
}

/** As many as one call answers; a search finds the others. */
const MOST = 100
const LONGEST_SEARCH = 64

function useSearch() {
  const [text, setText] = useState('')
  return { search: useSettled(text).slice(0, LONGEST_SEARCH), onSearch: setText }
}

const optionsOf = (names: readonly string[] = [], without: readonly string[] = []) =>
  names.filter((name) => !without.includes(name)).map((name) => ({ value: name, label: name }))

export function RolePicker({ label, value, onChange, without }: Props) {
  const { search, onSearch } = useSearch()
  const found = useCall(
    perms.listRoles,
    { search, pageSize: MOST },
    { placeholderData: (before) => before },
  ).data?.list.map(({ role }) => role)
  return (
    <Select
      label={label}
      searchable
      onSearch={onSearch}
      placeholder={t('access.pick.searchRole')}
      options={optionsOf(found, without)}
      value={value}
      onChange={onChange}
    />
  )
}

export function UserPicker({ label, value, onChange, without }: Props) {
  const { search, onSearch } = useSearch()
  const found = useCall(
    perms.listUsers,
    { search, pageSize: MOST },
    { placeholderData: (before) => before },
  ).data?.list.map(({ user }) => user)
  return (
    <Select
      label={label}
      searchable
      onSearch={onSearch}
      placeholder={t('access.pick.searchUser')}
      options={optionsOf(found, without)}
      value={value}
      onChange={onChange}
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
        key={value.length}
        label={t('access.pick.addRole')}
        value={null}
        without={['public', ...value]}
        onChange={(role) => onChange([...value, role])}
      />
      {value.length > 0 && (
        <ul className={styles['chips']} aria-label={t('access.createUser.roles')}>
          {value.map((role) => (
            <li key={role}>
              {role}
              <IconButton
                size="sm"
                label={t('access.pick.removeRole', { role })}
                onClick={() => onChange(value.filter((one) => one !== role))}
              >
                <IconX size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <p className={styles['note']}>{t('access.createUser.rolesHelp')}</p>
    </div>
  )
}
