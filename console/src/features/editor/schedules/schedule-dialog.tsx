import '../../../i18n/schedules.ts'
import { schedule as calls, type Schedule } from '@boathouse/contract/schedule'
import { isTimeZone } from '@boathouse/contract/time-zone'
import { warehouse } from '@boathouse/contract/warehouse'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { problemsOf } from '../../../lib/call-problems.ts'
import { useConfirm } from '../../../lib/use-confirm.ts'
import { Dialog, ErrorState, FormDialog, notify, Select, Spinner, useProblems } from '../../../ui/index.ts'
import { NextRuns } from './next-runs.tsx'
import { NotifyFields } from './notify-fields.tsx'
import { cronOf } from './repeats.ts'
import { draftOf, draftProblems, inputOf, type ScheduleDraft } from './schedule-draft.ts'
import { ShownSecret } from './shown-secret.tsx'
import { WhenFields } from './when-fields.tsx'

interface Props {
  readonly tabId: string
  readonly name: string
  /** Missing on the page that it leads to. */
  readonly hasLink?: boolean
  readonly onClose: () => void
}

/** When a saved query runs on a schedule, and who is notified. */
export function ScheduleDialog({ tabId, name, hasLink = false, onClose }: Props) {
  const found = useCall(calls.find, { tabId }, { staleTime: 0 })
  const [secret, setSecret] = useState<string | null>(null)
  if (secret !== null) return <ShownSecret name={name} secret={secret} onClose={onClose} />
  if (found.data && !found.isFetching)
    return (
      <ScheduleForm
        tabId={tabId}
        name={name}
        hasLink={hasLink}
        schedule={found.data.schedule}
        onSaved={(fresh) => (fresh === null ? onClose() : setSecret(fresh))}
        onClose={onClose}
      />
    )
  return (
    <Dialog open onClose={onClose} title={t('schedules.form.title', { name })}>
      {found.isError && !found.isFetching ? (
        <ErrorState
          title={t('schedules.form.failed')}
          what={found.error.message}
          onRetry={() => void found.refetch()}
        />
      ) : (
        <Spinner label={t('schedules.form.loading')} />
      )}
    </Dialog>
  )
}

interface FormProps extends Required<Props> {
  readonly schedule: Schedule | null
  readonly onSaved: (secret: string | null) => void
}

function ScheduleForm({ tabId, name, hasLink, schedule, onSaved, onClose }: FormProps) {
  const [draft, setDraft] = useState(() => draftOf(schedule))
  const change = (part: Partial<ScheduleDraft>) => setDraft((before) => ({ ...before, ...part }))
  const save = useAction(calls.save, { silent: true, refreshes: [calls.list, calls.runs] })
  const input = inputOf(tabId, draft)
  const typed = draftProblems(draft)
  const problems = useProblems({ ...problemsOf(calls.save, input), ...typed })
  const { confirm, isWorking, refusal } = useConfirm({
    onConfirm: async () => {
      if (!problems.accept()) return false
      const { secret } = await save.mutateAsync(input)
      notify({ tone: 'ok', message: t('schedules.form.saved') })
      onSaved(secret)
      return true
    },
    onDone: () => undefined,
  })
  return (
    <FormDialog
      title={t('schedules.form.title', { name })}
      confirmLabel={t('schedules.form.save')}
      width={560}
      isWorking={isWorking}
      refusal={refusal}
      aside={hasLink && <AllSchedules />}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>{t('schedules.form.about')}</p>
      <WhenFields when={draft.when} problems={problems} onChange={(when) => change({ when })} />
      <ZoneField value={draft.timeZone} onChange={(timeZone) => change({ timeZone })} />
      <NextRuns cron={typed['minute'] || typed['time'] ? '' : cronOf(draft.when)} timeZone={draft.timeZone} />
      <WarehouseField value={draft.warehouseId} onChange={(warehouseId) => change({ warehouseId })} />
      <NotifyFields draft={draft} problems={problems} onChange={change} />
    </FormDialog>
  )
}

function AllSchedules() {
  const { region = '', aid = '' }: { region?: string; aid?: string } = useParams({ strict: false })
  return (
    <Link to="/$region/$aid/activity/schedules" params={{ region, aid }}>
      {t('schedules.all')}
    </Link>
  )
}

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Browsers list some zones by the names that they had before. */
const NEWER_NAMES = [
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Europe/Kyiv',
]

const zonesWith = (chosen: string): string[] => {
  const known = [...Intl.supportedValuesOf('timeZone'), ...NEWER_NAMES.filter(isTimeZone)].toSorted()
  return [...new Set(['UTC', chosen, ...known])]
}

function ZoneField({ value, onChange }: FieldProps) {
  const zones = useMemo(() => zonesWith(value), [value])
  return (
    <Select
      label={t('schedules.form.zone')}
      searchable
      value={value}
      options={zones.map((zone) => ({ value: zone, label: zone }))}
      onChange={onChange}
    />
  )
}

function WarehouseField({ value, onChange }: FieldProps) {
  const { data } = useCall(warehouse.list, {}, { silent: true })
  const usable = (data?.warehouses ?? []).filter(({ isUsable }) => isUsable)
  const known = usable.map((one) => ({ value: one.warehouseId, label: one.name }))
  const other =
    value === '' || known.some((one) => one.value === value)
      ? []
      : [{ value, label: data ? t('schedules.form.otherWarehouse') : '…' }]
  return (
    <Select
      label={t('schedules.form.warehouse')}
      value={value}
      options={[{ value: '', label: t('schedules.form.defaultWarehouse') }, ...known, ...other]}
      onChange={onChange}
    />
  )
}
