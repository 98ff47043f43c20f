import { t } from '../../../i18n/texts.ts'
import { ClockField, NameField, Segmented, Select, TextField, type useProblems } from '../../../ui/index.ts'
import { cronOf, REPEATS, type When, weekdayName } from './repeats.ts'
import styles from './schedules.module.css'

interface Props {
  readonly when: When
  readonly problems: ReturnType<typeof useProblems>
  readonly onChange: (when: When) => void
}

const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '0']

/** How often, and at what time. */
export function WhenFields({ when, problems, onChange }: Props) {
  const { kind } = when
  const change = (part: Partial<When>) => onChange({ ...when, ...part })
  return (
    <>
      <div>
        <p className={styles['heading']}>{t('schedules.form.repeats')}</p>
        <Segmented
          label={t('schedules.form.repeats')}
          value={kind}
          segments={REPEATS.map((value) => ({ value, label: t(`schedules.form.kinds.${value}`) }))}
          onChange={(next) => change({ kind: next, ...(next === 'cron' ? { cron: cronOf(when) } : {}) })}
        />
      </div>
      {kind === 'hourly' && (
        <TextField
          {...problems.of('minute')}
          label={t('schedules.form.minute')}
          inputMode="numeric"
          autoComplete="off"
          value={when.minute}
          onChange={(event) => change({ minute: event.target.value })}
        />
      )}
      {kind === 'cron' && (
        <NameField
          {...problems.of('cron')}
          label={t('schedules.form.cron')}
          help={t('schedules.form.cronHelp')}
          value={when.cron}
          onChange={(event) => change({ cron: event.target.value })}
        />
      )}
      {(kind === 'daily' || kind === 'weekly') && (
        <div className={styles['pair']}>
          {kind === 'weekly' && (
            <Select
              label={t('schedules.form.weekday')}
              value={when.weekday}
              options={WEEKDAYS.map((value) => ({ value, label: weekdayName(value) }))}
              onChange={(weekday) => change({ weekday })}
            />
          )}
          <ClockField
            {...problems.of('time')}
            label={t('schedules.form.time')}
            value={when.time}
            onChange={(event) => change({ time: event.target.value })}
          />
        </div>
      )}
    </>
  )
}
