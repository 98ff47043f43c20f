import { KEY_DOORS, key as keyCalls, type KeyDoor } from '@boathouse/contract/key'
import { perms } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { problemsOf } from '../../lib/call-problems.ts'
import { useConfirm } from '../../lib/use-confirm.ts'
import { Checkboxes, FormDialog, Select, TextField, TimeField, useProblems } from '../../ui/index.ts'
import styles from './key.module.css'
import type { KeyOwner } from './key-list.tsx'
import type { MadeKey } from './shown-secret.tsx'

const EXPIRIES = ['days30', 'days90', 'days365', 'never', 'custom'] as const
type Expiry = (typeof EXPIRIES)[number]
const DAYS: Partial<Record<Expiry, number>> = { days30: 30, days90: 90, days365: 365 }
const DAY_MS = 86_400_000

const EMPTY = {
  name: '',
  doors: [...KEY_DOORS] as KeyDoor[],
  roles: [] as string[],
  addresses: '',
  expiry: 'days90' as Expiry,
  /** Of the field, in the time zone of the browser. */
  at: '',
}

/** Undefined: it is not said yet. */
function expiresAt({ expiry, at }: typeof EMPTY, now: number): string | null | undefined {
  const days = DAYS[expiry]
  if (days !== undefined) return new Date(now + days * DAY_MS).toISOString()
  if (expiry === 'never') return null
  const chosen = new Date(at)
  return Number.isNaN(chosen.getTime()) || chosen.getTime() <= now ? undefined : chosen.toISOString()
}

/** Roles that the key can be narrowed to. */
function useHeldRoles({ user, kind }: KeyOwner): readonly string[] {
  const isSelf = kind === 'self'
  const own = useCall(perms.allRoles, {}, { enabled: isSelf })
  const others = useCall(perms.userRoles, { user }, { enabled: !isSelf })
  const held = (isSelf ? own.data?.directRoles : others.data?.roles) ?? []
  return held.map(({ role }) => role).filter((role) => role !== 'public')
}

interface Props {
  readonly owner: KeyOwner
  readonly onMade: (made: MadeKey) => void
  readonly onClose: () => void
}

export function CreateKey({ owner, onMade, onClose }: Props) {
  const { user, kind } = owner
  const [draft, setDraft] = useState(EMPTY)
  const [now] = useState(() => Date.now())
  const held = useHeldRoles(owner)
  const create = useAction(keyCalls.create, { silent: true, refreshes: [keyCalls.list] })
  const until = expiresAt(draft, now)
  const { name, doors, roles, addresses } = draft
  const input = {
    ...(kind === 'self' ? {} : { user }),
    name,
    doors,
    roles,
    addresses,
    expiresAt: until ?? null,
  }
  const problems = useProblems({
    ...problemsOf(keyCalls.create, input),
    ...(until === undefined && { expiresAt: t('keys.form.expiresAtMissing') }),
  })
  const change = (part: Partial<typeof EMPTY>) => setDraft((before) => ({ ...before, ...part }))
  const { confirm, isWorking, refusal } = useConfirm({
    onConfirm: async () => {
      if (!problems.accept()) return false
      onMade(await create.mutateAsync(input))
      return true
    },
    onDone: onClose,
  })
  return (
    <FormDialog
      title={kind === 'self' ? t('keys.form.title') : t('keys.form.titleOf', { user })}
      confirmLabel={t('keys.form.submit')}
      isWorking={isWorking}
      refusal={refusal}
      onSubmit={confirm}
      onClose={onClose}
    >
      <TextField
        {...problems.of('name')}
        label={t('keys.form.name')}
        help={t('keys.form.nameHelp')}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <DoorsField value={doors} error={problems.of('doors').error} onChange={(to) => change({ doors: to })} />
      <RolesField held={held} value={roles} onChange={(to) => change({ roles: to })} />
      <TextField
        {...problems.of('addresses')}
        label={t('keys.form.addresses')}
        help={t('keys.form.addressesHelp')}
        autoComplete="off"
        value={addresses}
        onChange={(event) => change({ addresses: event.target.value })}
      />
      <Select
        label={t('keys.form.expiry')}
        value={draft.expiry}
        options={EXPIRIES.map((value) => ({ value, label: t(`keys.form.${value}`) }))}
        onChange={(expiry) => change({ expiry: expiry as Expiry })}
      />
      {draft.expiry === 'custom' && (
        <TimeField
          {...problems.of('expiresAt')}
          label={t('keys.form.expiresAt')}
          value={draft.at}
          onChange={(event) => change({ at: event.target.value })}
        />
      )}
    </FormDialog>
  )
}

interface DoorsProps {
  readonly value: readonly KeyDoor[]
  readonly error: string | undefined
  readonly onChange: (doors: KeyDoor[]) => void
}

const nameOf = (door: KeyDoor): string => t(`keys.door.${door}`)

function DoorsField({ value, error, onChange }: DoorsProps) {
  return (
    <Checkboxes
      label={t('keys.form.doors')}
      options={KEY_DOORS.map(nameOf)}
      value={value.map(nameOf)}
      error={error}
      onChange={(names) => onChange(KEY_DOORS.filter((door) => names.includes(nameOf(door))))}
    />
  )
}

interface RolesProps {
  readonly held: readonly string[]
  readonly value: readonly string[]
  readonly onChange: (roles: string[]) => void
}

function RolesField({ held, value, onChange }: RolesProps) {
  if (held.length === 0) return <p className={styles['note']}>{t('keys.form.noRoles')}</p>
  return (
    <div className={styles['roles']}>
      <Checkboxes label={t('keys.form.roles')} options={held} value={value} onChange={onChange} />
      <p className={styles['note']}>{t('keys.form.rolesHelp')}</p>
    </div>
  )
}
