import type { EditorTab } from '@boathouse/contract/editor'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { useNewQuery } from '../../lib/new-query.ts'
import { IconDatabaseImport, IconTerminal2, IconUsersPlus } from '../../ui/icons.ts'
import { Spinner, useCopy } from '../../ui/index.ts'
import styles from './home.module.css'

interface Props {
  readonly signInAddress: string
  readonly onOpenTab: (tab: EditorTab) => void
  readonly onLoad: () => void
  /** Why files cannot be loaded; empty when they can, or while that is not known. */
  readonly whyNotLoad: string
}

const ICON = { size: 22, stroke: 1.5, 'aria-hidden': true } as const

export function QuickBoxes({ signInAddress, onOpenTab, onLoad, whyNotLoad }: Props) {
  const copy = useCopy()
  const querying = useNewQuery()
  return (
    <section aria-label={t('home.start')} className={styles['boxes']}>
      <Box
        icon={<IconDatabaseImport {...ICON} />}
        title={t('home.loadData')}
        text={whyNotLoad || t('home.loadDataText')}
        working={false}
        disabled={whyNotLoad !== ''}
        onOpen={onLoad}
      />
      <Box
        icon={<IconTerminal2 {...ICON} />}
        title={t('home.createQuery')}
        text={t('home.createQueryText')}
        working={querying.isPending}
        onOpen={() => querying.mutate({ tabName: t('home.createQueryTab') }, { onSuccess: onOpenTab })}
      />
      <Box
        icon={<IconUsersPlus {...ICON} />}
        title={t('home.collaborate')}
        text={t('home.collaborateText')}
        working={false}
        onOpen={() => copy(signInAddress)}
      />
    </section>
  )
}

interface BoxProps {
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
  readonly working: boolean
  readonly disabled?: boolean
  readonly onOpen: () => void
}

function Box({ icon, title, text, working, disabled = false, onOpen }: BoxProps) {
  return (
    <button
      type="button"
      className={styles['box']}
      aria-busy={working || undefined}
      aria-disabled={disabled || undefined}
      onClick={() => !working && !disabled && onOpen()}
    >
      <span className={styles['boxIcon']}>{working ? <Spinner size={22} immediate /> : icon}</span>
      <span className={styles['boxTitle']}>{title}</span>
      <span className={styles['boxText']}>{text}</span>
    </button>
  )
}
