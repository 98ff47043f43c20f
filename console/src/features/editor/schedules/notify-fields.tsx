import { comparesValue, CONDITION_KINDS } from '@boathouse/contract/schedule'
import { t } from '../../../i18n/texts.ts'
import { useSession } from '../../../lib/session.ts'
import { NameField, Select, TextField, type useProblems } from '../../../ui/index.ts'
import { NotifiedPeople } from './notified-people.tsx'
import type { NotifiedOf, ScheduleDraft } from './schedule-draft.ts'
import styles from './schedules.module.css'

interface Props {
  readonly draft: ScheduleDraft
  readonly problems: ReturnType<typeof useProblems>
  readonly onChange: (part: Partial<ScheduleDraft>) => void
}

const KINDS: readonly NotifiedOf[] = ['none', ...CONDITION_KINDS]
const QUIET = [0, 60, 240, 1440, 10080] as const

function quietName(minutes: number): string {
  const known = QUIET.find((one) => one === minutes)
  return known === undefined
    ? t('schedules.quietTimes.other', { minutes })
    : t(`schedules.quietTimes.m${known}`)
}

/** What somebody is notified of, and who. */
export function NotifyFields({ draft, problems, onChange }: Props) {
  const { notify, quietMinutes } = draft
  const isAdministrator = useSession().user?.activeRoles.includes('account_admin') ?? false
  const quiet = [...new Set([...QUIET, quietMinutes])].toSorted((one, other) => one - other)
  return (
    <>
      <Select
        label={t('schedules.form.notify')}
        value={notify}
        options={KINDS.map((value) => ({ value, label: t(`schedules.conditions.${value}`) }))}
        onChange={(next) => onChange({ notify: KINDS.find((one) => one === next) ?? 'none' })}
      />
      <p className={styles['note']}>{t('schedules.form.always')}</p>
      {notify !== 'none' && comparesValue(notify) && (
        <div className={styles['pair']}>
          <NameField
            label={t('schedules.form.column')}
            help={t('schedules.form.columnHelp')}
            {...problems.of('condition')}
            value={draft.column}
            onChange={(event) => onChange({ column: event.target.value })}
          />
          <TextField
            label={t('schedules.form.value')}
            {...problems.of('value')}
            inputMode="decimal"
            autoComplete="off"
            value={draft.value}
            onChange={(event) => onChange({ value: event.target.value })}
          />
        </div>
      )}
      {notify !== 'none' && (
        <Select
          label={t('schedules.form.quiet')}
          value={String(quietMinutes)}
          options={quiet.map((minutes) => ({ value: String(minutes), label: quietName(minutes) }))}
          onChange={(next) => onChange({ quietMinutes: Number(next) })}
        />
      )}
      <NotifiedPeople
        users={draft.users}
        error={problems.of('users').error}
        onChange={(users) => onChange({ users })}
        onUnfound={(unfound) => onChange({ unfound })}
      />
      {(isAdministrator || draft.url !== '') && (
        <TextField
          label={t('schedules.form.url')}
          help={t('schedules.form.urlHelp')}
          {...problems.of('url')}
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          value={draft.url}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      )}
    </>
  )
}
