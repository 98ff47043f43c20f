import type { UserInfo } from '@boathouse/contract/user'
import { Link, useNavigate } from '@tanstack/react-router'
import { t } from '../../i18n/texts.ts'
import { IconDots } from '../../ui/icons.ts'
import { IconButton, Menu } from '../../ui/index.ts'
import { type Crumb, usePageName } from '../page-name.ts'
import { useListPath, usePageTitle } from '../page-title.ts'
import { homePath, pagePath } from '../paths.ts'
import type { Place } from '../paths.ts'
import styles from './top-bar.module.css'

/** With more levels above the page, those in the middle go into a menu where there is no room for them. */
const ALWAYS_SHOWN = 2
/** More of them have no room beside the search of a window that is not wide. */
const MOST_LETTERS = 64

/** From the account to the page; the page itself leads nowhere. */
export function Breadcrumb({ user, place }: { user: UserInfo; place: Place }) {
  const title = usePageTitle()
  const list = useListPath()
  const named = usePageName()
  const above: Crumb[] = [
    { name: user.accountName, to: homePath(place) },
    ...(title && list ? [{ name: t(title), to: pagePath(place, list) }] : []),
    ...(named?.trail ?? []),
  ]
  const page = named?.name ?? (title && !list ? t(title) : undefined)
  const middle = above.length <= ALWAYS_SHOWN ? [] : above.slice(1, -1)
  const letters = [...above.map(({ name }) => name), page].join(' / ').length
  return (
    <nav
      className={styles['breadcrumb']}
      aria-label={t('shell.breadcrumb')}
      data-long={letters > MOST_LETTERS || undefined}
    >
      <ol>
        {above.map((crumb, at) => (
          <li key={crumb.to} className={middle.includes(crumb) ? styles['middle'] : undefined}>
            <Link to={crumb.to} aria-current={false} title={crumb.name}>
              {crumb.name}
            </Link>
            {at === 0 && middle.length > 0 && <MiddleLevels levels={middle} />}
          </li>
        ))}
        {page !== undefined && (
          <li aria-current="page" title={page}>
            {page}
          </li>
        )}
      </ol>
    </nav>
  )
}

function MiddleLevels({ levels }: { levels: readonly Crumb[] }) {
  const navigate = useNavigate()
  const label = t('shell.levelsBetween')
  return (
    <span className={styles['levels']}>
      <Menu
        label={label}
        width={220}
        entries={levels.map(({ name, to }) => ({ label: name, onSelect: () => void navigate({ to }) }))}
        trigger={
          <IconButton label={label} size="sm">
            <IconDots size={16} aria-hidden />
          </IconButton>
        }
      />
    </span>
  )
}
