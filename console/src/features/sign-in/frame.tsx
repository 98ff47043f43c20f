import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { IconMoon, IconSun } from '../../ui/icons.ts'
import { Button, Logo, useColorScheme } from '../../ui/index.ts'
import styles from './sign-in.module.css'

/** Around every page of the sign-in area. */
export function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <div className={styles['page']}>
      <SchemeToggle />
      <main className={styles['card']}>
        <Brand />
        {children}
      </main>
    </div>
  )
}

export function Brand() {
  return (
    <div className={styles['brand']}>
      <Logo size={40} />
      <p className={styles['product']}>{t('shell.product')}</p>
      <p className={styles['tagline']}>{t('signIn.tagline')}</p>
    </div>
  )
}

export function SchemeToggle() {
  const { scheme, toggle } = useColorScheme()
  const dark = scheme === 'dark'
  const Icon = dark ? IconSun : IconMoon
  return (
    <div className={styles['corner']}>
      <Button variant="subtle" size="sm" onClick={toggle} leftIcon={<Icon size={15} aria-hidden />}>
        {dark ? t('signIn.lightTheme') : t('signIn.darkTheme')}
      </Button>
    </div>
  )
}
