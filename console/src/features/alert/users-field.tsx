import { perms } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSettled } from '../../lib/settled.ts'
import { Chips, Select } from '../../ui/index.ts'
import styles from './alert.module.css'

interface Props {
  readonly value: readonly string[]
  readonly onChange: (users: string[]) => void
  readonly error?: string | undefined
}

/** As many as one call answers; a search finds the others. */
const MOST = 100
const LONGEST_SEARCH = 64

/** Who is mailed: each is added by a choice, and removed by a button. Who has no address cannot be chosen. */
export function UsersField({ value, onChange, error }: Props) {
  const [text, setText] = useState('')
  const settled = useSettled(text)
  const { data, isFetching } = useCall(
    perms.listUsers,
    { search: settled.slice(0, LONGEST_SEARCH), pageSize: MOST },
    { silent: true, placeholderData: (before) => before },
  )
  const found = (data?.list ?? []).filter(({ user }) => !value.includes(user))
  return (
    <div className={styles['users']}>
      <Select
        label={t('alerts.form.users')}
        value={null}
        error={error}
        searchable
        onSearch={setText}
        isSearching={isFetching || settled !== text}
        placeholder={t('alerts.form.searchUsers')}
        options={found.map(({ user, email }) => ({
          value: user,
          label: user,
          hint: email || t('alerts.form.noAddress'),
          disabled: email === '',
        }))}
        onChange={(user) => onChange([...value, user])}
      />
      <Chips
        label={t('alerts.form.users')}
        chips={value.map((user) => ({
          id: user,
          content: user,
          remove: {
            label: t('alerts.form.removeUser', { user }),
            onClick: () => onChange(value.filter((one) => one !== user)),
          },
        }))}
      />
      <p className={styles['note']}>{t('alerts.form.usersHelp')}</p>
    </div>
  )
}
