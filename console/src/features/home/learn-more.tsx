import { Link } from '@tanstack/react-router'
import { t } from '../../i18n/texts.ts'
import { IconExternalLink, IconTerminal2 } from '../../ui/icons.ts'
import { Panel } from '../../ui/index.ts'
import styles from './home.module.css'

/** HOME-05, HOME-11: only what opens. */
export function LearnMore({ editorAddress }: { editorAddress: string }) {
  return (
    <Panel title={t('home.learnMore')}>
      <ul className={styles['links']}>
        <li>
          <Link to={editorAddress}>
            <IconTerminal2 size={15} aria-hidden />
            {t('home.firstQuery')}
          </Link>
          <p>{t('home.firstQueryText')}</p>
        </li>
        <li>
          <a href="/api/openapi.json" target="_blank" rel="noreferrer">
            <IconExternalLink size={15} aria-hidden />
            {t('home.apiDescription')}
          </a>
          <p>{t('home.apiDescriptionText')}</p>
        </li>
      </ul>
    </Panel>
  )
}
