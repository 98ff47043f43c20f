import { editor } from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.ts'
import { useSettled } from '../../../lib/settled.ts'
import { Chips, Select } from '../../../ui/index.ts'
import styles from './schedules.module.css'

interface Props {
  readonly users: readonly string[]
  readonly error?: string | undefined
  readonly onChange: (users: string[]) => void
  /** What is left in the field and names nobody; empty: nothing is. */
  readonly onUnfound: (text: string) => void
}

/** Colleagues by name, who are notified beside the owner. */
export function NotifiedPeople({ users, error, onChange, onUnfound }: Props) {
  const [text, setText] = useState('')
  const settled = useSettled(text)
  const own = useSession().user?.user
  const { data, isFetching } = useCall(
    editor.sharePartners,
    { search: settled.slice(0, LIMITS.identifierLength) },
    { silent: true, placeholderData: (before) => before },
  )
  const found = (data?.list ?? [])
    .filter(({ kind, name }) => kind === 'user' && name !== own && !users.includes(name))
    .map(({ name }) => ({ value: name, label: name }))
  /** A name that was typed to its end was meant; anything else must not look as if it had been taken. */
  const leave = () => {
    const typed = text.trim()
    const named = found.find(({ value }) => value.toLowerCase() === typed.toLowerCase())
    if (named) onChange([...users, named.value])
    onUnfound(named ? '' : typed)
  }
  return (
    <div onBlur={leave}>
      <Select
        label={t('schedules.form.users')}
        value={null}
        searchable
        onSearch={setText}
        isSearching={isFetching || settled !== text}
        placeholder={t('schedules.form.searchUsers')}
        width="100%"
        options={found}
        error={error}
        disabled={users.length >= LIMITS.usersPerAlertRule}
        onChange={(name) => onChange([...users, name])}
      />
      <p className={styles['note']}>{t('schedules.form.usersHelp')}</p>
      <Chips
        label={t('schedules.form.notified')}
        chips={users.map((name) => ({
          id: name,
          content: name,
          remove: {
            label: t('schedules.form.removeUser', { name }),
            onClick: () => onChange(users.filter((one) => one !== name)),
          },
        }))}
      />
    </div>
  )
}
