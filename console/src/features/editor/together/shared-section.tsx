import { lazy, Suspense } from 'react'
import { t } from '../../../i18n/texts.ts'
import { isBoolean, useKept } from '../../../lib/kept.ts'
import { IconChevronDown, IconChevronUp } from '../icons.ts'
import { PanelLoading } from '../side-panel.tsx'
import type { OpenTab } from '../tabs/use-open-tab.ts'
import panel from '../side-panel.module.css'

const SharedWithMe = lazy(async () => ({ default: (await import('./shared-with-me.tsx')).SharedWithMe }))

/** Below the user's own queries. Nothing is asked for before it is opened. */
export function SharedSection({ opened, search }: { opened: OpenTab; search: string }) {
  const [isOpen, setOpen] = useKept<boolean>('shared-open', false, isBoolean)
  const Chevron = isOpen ? IconChevronDown : IconChevronUp
  return (
    <section className={panel['section']} aria-label={t('editor.shared.title')}>
      <h3 className={panel['title']}>
        <button
          type="button"
          className={panel['toggle']}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('editor.shared.title')}
          <Chevron size={15} aria-hidden />
        </button>
      </h3>
      {isOpen && (
        <Suspense fallback={<PanelLoading />}>
          <SharedWithMe key={search.trim()} opened={opened} search={search} />
        </Suspense>
      )}
    </section>
  )
}
