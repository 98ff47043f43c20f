import { t } from '../../../i18n/texts.ts'
import { pageHosts } from '../../../lib/hosts.ts'
import { CodeBlock, SecretDialog } from '../../../ui/index.ts'
import styles from './embedding.module.css'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** A line of HTML for a page of a website. */
const frameLine = (address: string, name: string): string =>
  `<iframe src="${escaped(address)}" title="${escaped(name)}" width="100%" height="600" style="border: 0"></iframe>`

interface Props {
  readonly name: string
  readonly path: string
  readonly onClose: () => void
}

/** The key in it is shown now and never again. */
export function MadeLink({ name, path, onClose }: Props) {
  const address = pageHosts.regional() + path
  return (
    <SecretDialog
      title={t('embed.made.title', { name })}
      once={t('embed.made.once')}
      label={t('embed.made.link')}
      secret={address}
      done={t('embed.made.done')}
      width={600}
      onClose={onClose}
    >
      <p className={styles['note']}>{t('embed.made.frame')}</p>
      <CodeBlock code={frameLine(address, name)} label={t('embed.made.frame')} />
    </SecretDialog>
  )
}
