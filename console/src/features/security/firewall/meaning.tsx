import { LIMITS } from '@boathouse/contract/limits'
import { t } from '../../../i18n/texts.ts'
import { IconAlertTriangle } from '../../../ui/icons.ts'
import type { meaningOf } from './letting-in.ts'
import shared from '../security.module.css'
import styles from './firewall.module.css'

export const Warning = ({ text }: { text: string }) => (
  <p className={styles['warning']} role="status">
    <IconAlertTriangle size={16} aria-hidden />
    {text}
  </p>
)

/** What a change means for its author. */
export function Meaning({ of: meaning, ip }: { of: ReturnType<typeof meaningOf>; ip: string }) {
  const text = t(`firewall.${meaning}`, { ip, seconds: LIMITS.firewallTrialMs / 1000 })
  return meaning === 'cutOff' ? <Warning text={text} /> : <p className={shared['help']}>{text}</p>
}
