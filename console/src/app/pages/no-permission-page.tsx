import type { BuiltInRole } from '@boathouse/contract/roles'
import { Link } from '@tanstack/react-router'
import { t } from '../../i18n/texts.ts'
import { buttonClassName, NoPermission } from '../../ui/index.ts'
import { Standalone } from './standalone.tsx'

/** One page, at /401 and in place of a page that is refused. */
export function NoPermissionState({ roles = [] }: { roles?: readonly BuiltInRole[] }) {
  const home = (
    <Link to="/" className={buttonClassName({ variant: 'primary' })}>
      {t('shell.noPermission.home')}
    </Link>
  )
  return (
    <NoPermission
      page
      title={t('shell.noPermission.title')}
      text={t('shell.noPermission.body')}
      missing={roles.length > 0 && t('shell.noPermission.missing', { roles: roles.join(', ') })}
      actions={home}
    />
  )
}

export const NoPermissionPage = () => (
  <Standalone>
    <NoPermissionState />
  </Standalone>
)
