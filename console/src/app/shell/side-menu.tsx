import { LAYOUT } from '@boathouse/contract/limits'
import type { UserInfo } from '@boathouse/contract/user'
import { Link } from '@tanstack/react-router'
import { t } from '../../i18n/texts.ts'
import { session } from '../../lib/session.ts'
import type { MenuMode } from '../../lib/session.ts'
import { IconLayoutSidebar } from '../../ui/icons.ts'
import { Menu, Tooltip } from '../../ui/index.ts'
import { menuFor, pageOf } from '../menu.ts'
import type { PageKey } from '../menu.ts'
import { pagePath } from '../paths.ts'
import type { Place } from '../paths.ts'
import { useMenuOpening } from './menu-opening.ts'
import { menuWidth } from './menu-width.ts'
import styles from './side-menu.module.css'

interface Props {
  readonly user: UserInfo
  readonly place: Place
  readonly mode: MenuMode
}

const ICON_PX = 20

export function SideMenu({ user, place, mode }: Props) {
  const style = {
    width: menuWidth(mode),
    '--wide': `${LAYOUT.menuExpandedPx}px`,
  } as React.CSSProperties
  const { panel, close } = useMenuOpening(mode)
  return (
    <nav className={styles['menu']} data-mode={mode} style={style} aria-label={t('shell.menu.label')}>
      <div className={styles['panel']} {...panel}>
        {menuFor(user).map((group, index) => (
          <ul key={group.title} className={styles['group']} aria-label={t(group.title)}>
            {index > 0 && (
              <li className={styles['heading']} aria-hidden>
                {t(group.title)}
              </li>
            )}
            {group.items.map((item) => (
              <li key={item.page}>
                <MenuLink page={item.page} icon={item.icon} place={place} tip={mode === 'Collapse'} />
              </li>
            ))}
          </ul>
        ))}
        <ModeChooser mode={mode} onChosen={close} />
      </div>
    </nav>
  )
}

interface LinkProps {
  readonly page: PageKey
  readonly icon: typeof IconLayoutSidebar
  readonly place: Place
  /** The label is cut off, so it is shown on hover. */
  readonly tip: boolean
}

function MenuLink({ page, icon: Icon, place, tip }: LinkProps) {
  const { path, title } = pageOf(page)
  return (
    <Tooltip label={t(title)} position="right" disabled={!tip}>
      <Link to={pagePath(place, path)} className={styles['item']}>
        <Icon size={ICON_PX} stroke={1.6} aria-hidden />
        <span className={styles['label']}>{t(title)}</span>
      </Link>
    </Tooltip>
  )
}

function ModeChooser({ mode, onChosen }: { mode: MenuMode; onChosen: () => void }) {
  const modes: readonly { value: MenuMode; label: string }[] = [
    { value: 'Expand', label: t('shell.menu.modeExpand') },
    { value: 'Collapse', label: t('shell.menu.modeCollapse') },
    { value: 'Auto', label: t('shell.menu.modeAuto') },
  ]
  const choose = (value: string) => {
    const chosen = modes.find((one) => one.value === value)
    if (chosen) session.setMenuMode(chosen.value)
    onChosen()
  }
  const trigger = (
    <button type="button" className={styles['item']}>
      <IconLayoutSidebar size={ICON_PX} stroke={1.6} aria-hidden />
      <span className={styles['label']}>{t('shell.menu.mode')}</span>
    </button>
  )
  return (
    <Menu
      trigger={trigger}
      label={t('shell.menu.mode')}
      position="right-end"
      width={160}
      entries={[
        { kind: 'heading', label: t('shell.menu.mode') },
        { kind: 'choice', value: mode, options: modes, onChange: choose },
      ]}
    />
  )
}
