import '../../../i18n/palette.ts'
import { t } from '../../../i18n/texts.ts'
import { Dialog, Kbd } from '../../../ui/index.ts'
import styles from './palette.module.css'

const SHORTCUTS = {
  everywhere: [
    { keys: ['Mod', 'K'], does: 'palette' },
    { keys: ['/'], does: 'search' },
    { keys: ['?'], does: 'sheet' },
    { keys: ['Esc'], does: 'close' },
  ],
  editor: [
    { keys: ['Mod', 'Enter'], does: 'run' },
    { keys: ['Mod', 'Shift', 'Enter'], does: 'runAll' },
    { keys: ['Mod', 'Alt', 'Enter'], does: 'preview' },
    { keys: ['Mod', 'F'], does: 'find' },
    { keys: ['Shift', 'Alt', 'F'], does: 'format' },
    { keys: ['Mod', '/'], does: 'comment' },
    { keys: ['Alt', '↑'], does: 'moveLine' },
    { keys: ['Mod', 'D'], does: 'nextOccurrence' },
    { keys: ['Mod', '.'], does: 'stop' },
    { keys: ['Alt', 'Z'], does: 'wrap' },
    { keys: ['F6'], does: 'nextPart' },
    { keys: ['Mod', 'B'], does: 'side' },
    { keys: ['Mod', 'J'], does: 'result' },
  ],
  results: [
    { keys: ['Mod', 'A'], does: 'selectAll' },
    { keys: ['Mod', 'C'], does: 'copy' },
    { keys: ['Mod', 'F'], does: 'searchRows' },
    { keys: ['Alt', '↓'], does: 'columnMenu' },
  ],
  trees: [
    { keys: ['↑', '↓'], does: 'move' },
    { keys: ['←', '→'], does: 'fold' },
    { keys: ['Enter'], does: 'choose' },
  ],
} as const

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title={t('palette.shortcuts')} onClose={onClose} width={560}>
      {/* There is nothing else in it that takes the focus, and it is longer than a small window: keys scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles['sheet']} role="group" aria-label={t('palette.shortcuts')} tabIndex={0}>
        {(Object.keys(SHORTCUTS) as (keyof typeof SHORTCUTS)[]).map((group) => (
          <section key={group} aria-label={t(`palette.groups.${group}`)}>
            <h3 className={styles['heading']}>{t(`palette.groups.${group}`)}</h3>
            <dl className={styles['shortcuts']}>
              {SHORTCUTS[group].map(({ keys, does }) => (
                <div key={does}>
                  <dt>{t(`palette.does.${does}`)}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
