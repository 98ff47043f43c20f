import '../../../i18n/firewall.ts'
import { firewall, type FirewallRule } from '@boathouse/contract/firewall'
import { type ReactNode, useCallback, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { IconCopy, IconPlus, IconShieldLock } from '../../../ui/icons.ts'
import {
  Button,
  DataTable,
  EmptyState,
  ErrorState,
  IconButton,
  NoPermission,
  Panel,
  Skeleton,
  StateDot,
  useCopy,
} from '../../../ui/index.ts'
import { ChangeDialog, type ChangeKind } from './change-dialog.tsx'
import shared from '../security.module.css'
import styles from './firewall.module.css'
import { RuleDialog } from './rule-dialog.tsx'
import { ruleColumns } from './rule-columns.tsx'
import { TrialDialog } from './trial-dialog.tsx'

/** The addresses that have access to this account. */
export function FirewallTab() {
  const { data, dataUpdatedAt, isError, error, refetch } = useCall(firewall.rules, {}, { silent: true })
  const again = useCallback(() => void refetch(), [refetch])
  if (isError && error.codeName === 'NoPermission')
    return <NoPermission title={t('firewall.noPermission')} text={error.message} />
  if (isError && !data)
    return <ErrorState title={t('firewall.failed')} what={error.message} onRetry={again} />
  if (!data) return <Skeleton height={320} />
  const { clientIp, privateEndpoint, rules, trial } = data
  return (
    <section className={styles['tab']} aria-label={t('firewall.tab')}>
      <Lead isOn={rules.some(({ enabled }) => enabled)} clientIp={clientIp}>
        {privateEndpoint !== null && (
          <p className={styles['words']}>{t('firewall.private', { endpoint: privateEndpoint })}</p>
        )}
      </Lead>
      <Rules rules={rules} clientIp={privateEndpoint === null ? clientIp : null} />
      {trial && (
        <TrialDialog
          key={trial.ruleName + trial.user}
          trial={trial}
          loadedAt={dataUpdatedAt}
          onOver={again}
        />
      )}
    </section>
  )
}

interface LeadProps {
  readonly isOn: boolean
  readonly clientIp: string
  readonly children: ReactNode
}

function Lead({ isOn, clientIp, children }: LeadProps) {
  const copy = useCopy()
  return (
    <div className={shared['lead']}>
      <StateDot tone={isOn ? 'ok' : 'neutral'}>
        {t(isOn ? 'firewall.state.on' : 'firewall.state.off')}
      </StateDot>
      <p className={styles['words']}>{t('firewall.lead')}</p>
      <p className={styles['ip']}>
        {t('firewall.own')}: <code>{clientIp}</code>
        <IconButton label={t('firewall.copyOwn')} size="sm" onClick={() => copy(clientIp)}>
          <IconCopy size={14} aria-hidden />
        </IconButton>
      </p>
      {children}
    </div>
  )
}

interface RulesProps {
  readonly rules: readonly FirewallRule[]
  /** Null: the rules do not apply to this user, who came by a private link. */
  readonly clientIp: string | null
}

function Rules({ rules, clientIp }: RulesProps) {
  const [edited, setEdited] = useState<FirewallRule | 'new'>()
  const [changed, setChanged] = useState<{ kind: ChangeKind; rule: FirewallRule }>()
  const create = (
    <Button
      variant={rules.length === 0 ? 'primary' : 'default'}
      leftIcon={<IconPlus size={16} aria-hidden />}
      onClick={() => setEdited('new')}
    >
      {t('firewall.create')}
    </Button>
  )
  return (
    <>
      {rules.length === 0 ? (
        <EmptyState
          icon={<IconShieldLock size={28} stroke={1.5} aria-hidden />}
          title={t('firewall.empty')}
          actions={create}
        >
          <p>{t('firewall.emptyBody')}</p>
        </EmptyState>
      ) : (
        <Panel title={t('firewall.rules')} actions={create}>
          <DataTable
            inPanel
            label={t('firewall.rules')}
            rows={rules}
            rowKey={({ ruleId }) => ruleId}
            columns={ruleColumns({
              onEdit: setEdited,
              onChange: (kind, rule) => setChanged({ kind, rule }),
            })}
          />
        </Panel>
      )}
      {edited && (
        <RuleDialog
          rule={edited === 'new' ? undefined : edited}
          rules={rules}
          clientIp={clientIp}
          onClose={() => setEdited(undefined)}
        />
      )}
      {changed && (
        <ChangeDialog {...changed} rules={rules} clientIp={clientIp} onClose={() => setChanged(undefined)} />
      )}
    </>
  )
}
