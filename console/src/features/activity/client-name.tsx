import type { HistoryEntry } from '@boathouse/contract/query'
import { t } from '../../i18n/texts.ts'
import styles from './activity.module.css'

/** The API key that a statement was sent with, and what its program calls itself; empty where neither is known. */
export const clientName = ({ key, program }: Pick<HistoryEntry, 'key' | 'program'>): string =>
  [...(key ? [t('activity.key', { name: key })] : []), ...(program ? [program] : [])].join(' · ')

/** From where it was sent, and through which private endpoint. */
export const addressOf = ({
  clientIp,
  privateEndpoint,
}: Pick<HistoryEntry, 'clientIp' | 'privateEndpoint'>) =>
  privateEndpoint === ''
    ? clientIp
    : t('activity.throughEndpoint', { address: clientIp, endpoint: privateEndpoint })

/** Who sent it, and with which key. */
export const SentBy = ({ of }: { of: Pick<HistoryEntry, 'user' | 'key' | 'program'> }) => (
  <span title={clientName(of) || undefined}>
    {of.user}
    {of.key && <span className={styles['note']}> {t('activity.key', { name: of.key })}</span>}
  </span>
)
