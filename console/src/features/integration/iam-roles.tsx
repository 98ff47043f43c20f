import { type IamRole, IamRoleArn, iamRoleCalls } from '@boathouse/contract/iam-roles'
import type { UserInfo } from '@boathouse/contract/user'
import { type FormEvent, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { ruleOf } from '../../lib/form.ts'
import { useConfirm } from '../../lib/use-confirm.ts'
import {
  Button,
  ConfirmDialog,
  DataTable,
  EmptyState,
  NameField,
  NoPermission,
  notify,
  Panel,
  Refusal,
  Skeleton,
  type TableColumn,
  useProblems,
} from '../../ui/index.ts'
import styles from './integration.module.css'
import type { useIamRoles } from './use-iam-roles.ts'

const REFRESHES = [iamRoleCalls.iamRoles]

interface Props {
  readonly known: ReturnType<typeof useIamRoles>
  readonly user: UserInfo
}

/** The roles that the account has registered, and the form for another one. */
export function IamRoles({ known, user }: Props) {
  const [deleted, setDeleted] = useState<string | null>(null)
  if (!user.activeRoles.includes('account_admin'))
    return <NoPermission title={t('integration.iam.title')} text={t('integration.iam.administrators')} />
  return (
    <Panel title={t('integration.iam.title')}>
      {known?.problem && (
        <p role="status" className={styles['warning']}>
          {known.problem}
        </p>
      )}
      {/* Begins again empty after each role that was registered. */}
      <RegisterRole key={known?.roles.length ?? 0} />
      {!known && <Skeleton height={120} />}
      {known?.roles.length === 0 && (
        <EmptyState title={t('integration.iam.none')}>
          <p>{t('integration.iam.noneText')}</p>
        </EmptyState>
      )}
      {known && known.roles.length > 0 && <Registered roles={known.roles} onDelete={setDeleted} />}
      {deleted !== null && <DeleteRole roleArn={deleted} onClose={() => setDeleted(null)} />}
    </Panel>
  )
}

function RegisterRole() {
  const [roleArn, setRoleArn] = useState('')
  const register = useAction(iamRoleCalls.registerIamRole, { silent: true, refreshes: REFRESHES })
  const problems = useProblems({ roleArn: ruleOf(IamRoleArn)(roleArn, undefined) })
  const { confirm, isWorking, refusal } = useConfirm({
    onConfirm: async () => {
      if (!problems.accept()) return false
      await register.mutateAsync({ roleArn })
      return true
    },
    onDone: () => notify({ tone: 'ok', message: t('integration.iam.registered') }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void confirm()
  }
  return (
    <form className={styles['register']} onSubmit={submit} noValidate>
      <NameField
        {...problems.of('roleArn')}
        label={t('integration.iam.arn')}
        placeholder="arn:aws:iam::123456789012:role/YOUR_ROLE"
        value={roleArn}
        onChange={(event) => setRoleArn(event.target.value)}
      />
      <Button type="submit" variant="primary" loading={isWorking}>
        {t('integration.iam.register')}
      </Button>
      <Refusal text={refusal} />
    </form>
  )
}

interface RegisteredProps {
  readonly roles: readonly IamRole[]
  readonly onDelete: (roleArn: string) => void
}

const columnsOf = (onDelete: RegisteredProps['onDelete']): TableColumn<IamRole>[] => [
  { key: 'arn', header: t('integration.iam.arn'), leastPx: 200, cell: ({ roleArn }) => roleArn },
  {
    key: 'created',
    header: t('integration.iam.created'),
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
  { key: 'by', header: t('integration.iam.createdBy'), cell: ({ createdBy }) => createdBy },
  {
    key: 'actions',
    header: t('integration.iam.actions'),
    hideHeader: true,
    cell: ({ roleArn }) => (
      <span className={styles['actions']}>
        <CheckRole roleArn={roleArn} />
        <Button size="sm" onClick={() => onDelete(roleArn)}>
          {t('integration.iam.delete')}
        </Button>
      </span>
    ),
  },
]

const Registered = ({ roles, onDelete }: RegisteredProps) => (
  <DataTable
    wide
    label={t('integration.iam.title')}
    rows={roles}
    rowKey={({ roleArn }) => roleArn}
    columns={columnsOf(onDelete)}
  />
)

function CheckRole({ roleArn }: { roleArn: string }) {
  const check = useAction(iamRoleCalls.checkIamRole, {})
  return (
    <Button
      size="sm"
      loading={check.isPending}
      onClick={() =>
        check.mutate(
          { roleArn },
          {
            onSuccess: ({ problem }) =>
              notify({ tone: problem === '' ? 'ok' : 'err', message: problem || t('integration.iam.works') }),
          },
        )
      }
    >
      {t('integration.iam.check')}
    </Button>
  )
}

function DeleteRole({ roleArn, onClose }: { roleArn: string; onClose: () => void }) {
  const remove = useAction(iamRoleCalls.deleteIamRole, { silent: true, refreshes: REFRESHES })
  const { confirm, refusal } = useConfirm({
    onConfirm: async () => {
      await remove.mutateAsync({ roleArn })
      return true
    },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      open
      danger
      title={t('integration.iam.deleteTitle')}
      confirmLabel={t('integration.iam.deleteConfirm')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t('integration.iam.deleteBody', { roleArn })}</p>
      <Refusal text={refusal} />
    </ConfirmDialog>
  )
}
