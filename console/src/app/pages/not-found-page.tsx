import { Link } from '@tanstack/react-router'
import { t } from '../../i18n/texts.ts'
import { buttonClassName, EmptyState, Logo } from '../../ui/index.ts'
import { Standalone } from './standalone.tsx'

export function NotFoundPage() {
  const home = (
    <Link to="/" className={buttonClassName({ variant: 'primary' })}>
      {t('shell.notFound.home')}
    </Link>
  )
  return (
    <Standalone>
      <EmptyState page icon={<Logo size={40} />} title={t('shell.notFound.title')} actions={home}>
        <p>{t('shell.notFound.body')}</p>
      </EmptyState>
    </Standalone>
  )
}
