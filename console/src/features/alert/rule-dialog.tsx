import {
  ALERT_EVENTS,
  type AlertEvent,
  alert as calls,
  type AlertRule,
  EVENTS_OF_USERS,
  EVENTS_OF_WAREHOUSES,
} from '@boathouse/contract/alert'
import { warehouse } from '@boathouse/contract/warehouse'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { problemsOf } from '../../lib/call-problems.ts'
import { useConfirm } from '../../lib/use-confirm.ts'
import { FormDialog, notify, Select, Switch, TextField, useProblems } from '../../ui/index.ts'
import { eventName } from './names.ts'
import { UsersField } from './users-field.tsx'

interface Props {
  /** Undefined: a new one. */
  readonly rule: AlertRule | undefined
  /** The secret is given where it is a new one. */
  readonly onSaved: (name: string, secret: string | null) => void
  readonly onClose: () => void
}

const ALL = ''

interface Draft {
  readonly name: string
  readonly event: AlertEvent
  readonly warehouseId: string
  readonly ownOnly: boolean
  readonly users: readonly string[]
  readonly url: string
  readonly newSecret: boolean
  readonly enabled: boolean
}

const draftOf = (rule: AlertRule | undefined): Draft => ({
  name: rule?.name ?? '',
  event: rule?.event ?? 'statement.failed',
  warehouseId: rule?.warehouseId ?? ALL,
  ownOnly: rule?.ownOnly ?? false,
  users: rule?.users ?? [],
  url: rule?.url ?? '',
  newSecret: false,
  enabled: rule?.enabled ?? true,
})

/** What does not fit the event is left out. */
const inputOf = (draft: Draft) => ({
  name: draft.name,
  event: draft.event,
  warehouseId: EVENTS_OF_WAREHOUSES.includes(draft.event) ? draft.warehouseId || null : null,
  ownOnly: draft.ownOnly && EVENTS_OF_USERS.includes(draft.event),
  users: [...draft.users],
  url: draft.url,
  enabled: draft.enabled,
})

export function RuleDialog({ rule, onSaved, onClose }: Props) {
  const [draft, setDraft] = useState(() => draftOf(rule))
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const create = useAction(calls.create, { silent: true, refreshes: [calls.list] })
  const update = useAction(calls.update, { silent: true, refreshes: [calls.list] })
  const input = inputOf(draft)
  const problems = useProblems(problemsOf(calls.create, input))
  const { confirm, isWorking, refusal } = useConfirm({
    onConfirm: async () => {
      if (!problems.accept()) return false
      const { secret } = rule
        ? await update.mutateAsync({ ...input, ruleId: rule.ruleId, newSecret: draft.newSecret })
        : await create.mutateAsync(input)
      notify({ tone: 'ok', message: t('alerts.form.saved') })
      onSaved(draft.name.trim(), secret)
      return true
    },
    // The list shows the secret in its place, or nothing.
    onDone: () => undefined,
  })
  return (
    <FormDialog
      title={rule ? t('alerts.form.editTitle', { name: rule.name }) : t('alerts.form.createTitle')}
      confirmLabel={t('alerts.form.save')}
      isWorking={isWorking}
      refusal={refusal}
      onSubmit={confirm}
      onClose={onClose}
    >
      <TextField
        {...problems.of('name')}
        label={t('alerts.name')}
        autoComplete="off"
        data-autofocus
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <About draft={draft} rule={rule} onChange={change} />
      <UsersField
        value={draft.users}
        error={problems.of('users').error}
        onChange={(users) => change({ users })}
      />
      <TextField
        {...problems.of('url')}
        label={t('alerts.form.url')}
        help={t('alerts.form.urlHelp')}
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        value={draft.url}
        onChange={(event) => change({ url: event.target.value })}
      />
      {rule && rule.url !== '' && (
        <Switch
          label={t('alerts.form.newSecret')}
          help={t('alerts.form.newSecretHelp')}
          checked={draft.newSecret}
          onChange={(newSecret) => change({ newSecret })}
        />
      )}
      <Switch
        label={t('alerts.form.enabled')}
        checked={draft.enabled}
        onChange={(enabled) => change({ enabled })}
      />
    </FormDialog>
  )
}

interface AboutProps {
  readonly draft: Draft
  readonly rule: AlertRule | undefined
  readonly onChange: (part: Partial<Draft>) => void
}

/** Which event, and how it is narrowed. */
function About({ draft: { event, warehouseId, ownOnly }, rule, onChange }: AboutProps) {
  const { data } = useCall(warehouse.list, {}, { silent: true })
  const known = (data?.warehouses ?? []).map((one) => ({ value: one.warehouseId, label: one.name }))
  const chosen =
    warehouseId === ALL || known.some(({ value }) => value === warehouseId)
      ? []
      : [{ value: warehouseId, label: rule?.warehouse ?? t('alerts.form.deletedWarehouse') }]
  return (
    <>
      <Select
        label={t('alerts.event')}
        value={event}
        options={ALERT_EVENTS.map((value) => ({ value, label: eventName(value) }))}
        onChange={(next) => onChange({ event: ALERT_EVENTS.find((one) => one === next) ?? event })}
      />
      {EVENTS_OF_WAREHOUSES.includes(event) && (
        <Select
          label={t('alerts.form.warehouse')}
          value={warehouseId}
          options={[{ value: ALL, label: t('alerts.form.allWarehouses') }, ...known, ...chosen]}
          onChange={(next) => onChange({ warehouseId: next })}
        />
      )}
      {EVENTS_OF_USERS.includes(event) && (
        <Switch
          label={t('alerts.form.ownOnly')}
          help={t('alerts.form.ownOnlyHelp')}
          checked={ownOnly}
          onChange={(next) => onChange({ ownOnly: next })}
        />
      )}
    </>
  )
}
