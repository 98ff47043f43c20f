import '../../../i18n/account.ts'
import { org } from '@boathouse/contract/org'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Badge, Tooltip } from '../../../ui/index.ts'

const SOON_DAYS = 3

/** The true number of days, in the top bar while a trial runs. */
export function TrialLeft() {
  const trial = useCall(org.freeTrialContract, {}, { silent: true }).data?.trial
  if (!trial || trial.hasEnded) return null
  const { daysLeft: days, endsAt } = trial
  return (
    <Tooltip label={t('account.trial.ends', { end: formatDateTime(endsAt) })}>
      <span tabIndex={-1}>
        <Badge tone={days <= SOON_DAYS ? 'warn' : 'accent'}>
          {days === 1 ? t('account.trial.lastDay') : t('account.trial.left', { days })}
        </Badge>
      </span>
    </Tooltip>
  )
}
