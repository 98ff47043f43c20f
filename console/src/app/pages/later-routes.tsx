import '../../i18n/later.ts'
import { Link, useParams } from '@tanstack/react-router'
import { t } from '../../i18n/texts.ts'
import { IconClock } from '../../ui/icons.ts'
import { buttonClassName, EmptyState } from '../../ui/index.ts'
import { homePath } from '../paths.ts'

const ICON = <IconClock size={28} stroke={1.5} aria-hidden />

/** Says so, as nothing on a screen is fake. */
export function IntegrationRoute() {
  const place = useParams({ from: '/$region/$aid' })
  const home = (
    <Link to={homePath(place)} className={buttonClassName({ variant: 'primary' })}>
      {t('later.home')}
    </Link>
  )
  return (
    <EmptyState
      page
      icon={ICON}
      title={t('later.title', { page: t('shell.menu.integration') })}
      actions={home}
    >
      <p>{t('later.integration.body')}</p>
      <p>{t('later.integration.instead')}</p>
    </EmptyState>
  )
}
