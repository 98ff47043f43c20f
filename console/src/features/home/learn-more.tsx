import { Link } from '@tanstack/react-router'
import { t } from '../../i18n/texts.ts'
import { IconExternalLink, IconHelp, IconTerminal2 } from '../../ui/icons.ts'
import { Panel } from '../../ui/index.ts'
import styles from './home.module.css'

interface Props {
  readonly editorAddress: string
  /** Of the guide, or of one of its pages. */
  readonly guideAddress: (page: string) => string
}

const GUIDE = ['getting-started', 'sql-editor', 'users-and-roles'] as const

/** Only what opens. */
export function LearnMore({ editorAddress, guideAddress }: Props) {
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
        {GUIDE.map((page) => (
          <li key={page}>
            <Link to={guideAddress(page)}>
              <IconHelp size={15} aria-hidden />
              {t(`home.guide.${page}`)}
            </Link>
            <p>{t(`home.guideText.${page}`)}</p>
          </li>
        ))}
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
