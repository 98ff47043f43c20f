import type { StatementDetail } from '@boathouse/contract/query'
import { t } from '../../i18n/texts.ts'
import { LazyPlan } from '../../statement/lazy-plan.tsx'
import { Panel } from '../../ui/index.ts'
import styles from './activity.module.css'

/** How it really ran: operators with their own time, and the path that took longest. */
export const ProfilePanel = ({ profile, advice }: Pick<StatementDetail, 'profile' | 'advice'>) => (
  <Panel title={t('activity.detail.profile')}>
    {profile ? (
      <LazyPlan root={profile} advice={advice} text={null} />
    ) : (
      <p className={styles['note']}>{t('activity.detail.noProfile')}</p>
    )}
  </Panel>
)
