import {
  dashboard as calls,
  type Dashboard,
  DASHBOARD_RUNS_AS,
  DASHBOARD_VIEWERS,
  type DashboardSettings,
} from '@boathouse/contract/dashboard'
import { cronProblem } from '@boathouse/contract/schedule'
import { isTimeZone } from '@boathouse/contract/time-zone'
import { useMemo, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { FormDialog, NameField, notify, Segmented, Select, useProblems } from '../../ui/index.ts'
import styles from './dashboard.module.css'

const REPEATS = {
  never: '',
  quarter: '*/15 * * * *',
  hour: '0 * * * *',
  day: '0 6 * * *',
  week: '0 6 * * 1',
} as const
type Repeat = keyof typeof REPEATS | 'cron'
const REPEAT_NAMES: readonly Repeat[] = ['never', 'quarter', 'hour', 'day', 'week', 'cron']

const repeatOf = (cron: string): Repeat =>
  REPEAT_NAMES.find((name) => name !== 'cron' && REPEATS[name] === cron) ?? 'cron'

const here = (): string => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}

const namesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

/** Who sees it, as whom it runs, and when it is refreshed. */
export function SettingsDialog({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const { dashboardId, name, schedule } = dashboard
  const [viewers, setViewers] = useState(dashboard.viewers)
  const [roles, setRoles] = useState(dashboard.roles.join(', '))
  const [runsAs, setRunsAs] = useState(dashboard.runsAs)
  const [repeat, setRepeat] = useState(repeatOf(schedule?.cron ?? ''))
  const [cron, setCron] = useState(schedule?.cron ?? '0 6 * * *')
  const [timeZone, setTimeZone] = useState(schedule?.timeZone ?? here())
  const isScheduled = runsAs === 'owner' && repeat !== 'never'
  const problems = useProblems({
    roles:
      viewers === 'roles' && namesIn(roles).length === 0 ? t('dashboards.settings.rolesMissing') : undefined,
    cron: isScheduled && repeat === 'cron' ? (cronProblem(cron) ?? undefined) : undefined,
  })
  const change = useAction(calls.changeSettings, { refreshes: [calls.detail, calls.list, calls.results] })
  const save = async () => {
    if (!problems.accept()) return
    const settings: DashboardSettings = {
      viewers,
      roles: viewers === 'roles' ? namesIn(roles) : [],
      runsAs,
      schedule: isScheduled ? { cron: repeat === 'cron' ? cron : REPEATS[repeat], timeZone } : null,
    }
    try {
      await change.mutateAsync({ dashboardId, settings })
    } catch {
      return
    }
    notify({ tone: 'ok', message: t('dashboards.settings.saved') })
    onClose()
  }
  return (
    <FormDialog
      title={t('dashboards.settings.title', { name })}
      confirmLabel={t('dashboards.settings.save')}
      isWorking={change.isPending}
      refusal={change.error?.message}
      onSubmit={save}
      onClose={onClose}
    >
      <Select
        label={t('dashboards.settings.viewers')}
        value={viewers}
        options={DASHBOARD_VIEWERS.map((value) => ({ value, label: t(`dashboards.viewers.${value}`) }))}
        onChange={(next) => setViewers(DASHBOARD_VIEWERS.find((one) => one === next) ?? 'private')}
      />
      {viewers === 'roles' && (
        <NameField
          {...problems.of('roles')}
          label={t('dashboards.settings.roles')}
          help={t('dashboards.settings.rolesHelp')}
          value={roles}
          onChange={({ target }) => setRoles(target.value)}
        />
      )}
      <div>
        <p className={styles['label']}>{t('dashboards.settings.runsAs')}</p>
        <Segmented
          label={t('dashboards.settings.runsAs')}
          value={runsAs}
          segments={DASHBOARD_RUNS_AS.map((value) => ({
            value,
            label: t(`dashboards.settings.as.${value}`),
          }))}
          onChange={setRunsAs}
        />
        <p className={styles['note']}>{t(`dashboards.settings.asHelp.${runsAs}`)}</p>
      </div>
      {runsAs === 'viewer' ? (
        <p className={styles['note']}>{t('dashboards.settings.scheduleHelp')}</p>
      ) : (
        <Select
          label={t('dashboards.settings.schedule')}
          value={repeat}
          options={REPEAT_NAMES.map((value) => ({ value, label: t(`dashboards.settings.repeats.${value}`) }))}
          onChange={(next) => setRepeat(REPEAT_NAMES.find((one) => one === next) ?? 'never')}
        />
      )}
      {isScheduled && repeat === 'cron' && (
        <NameField
          {...problems.of('cron')}
          label={t('dashboards.settings.cron')}
          value={cron}
          onChange={({ target }) => setCron(target.value)}
        />
      )}
      {isScheduled && <ZoneField value={timeZone} onChange={setTimeZone} />}
    </FormDialog>
  )
}

function ZoneField({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const zones = useMemo(() => [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])], [value])
  return (
    <Select
      label={t('dashboards.settings.zone')}
      searchable
      value={value}
      options={zones.map((zone) => ({ value: zone, label: zone }))}
      onChange={onChange}
    />
  )
}
