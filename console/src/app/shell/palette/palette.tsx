import '../../../i18n/palette.ts'
import type { UserInfo } from '@boathouse/contract/user'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useActiveOption } from '../../../ui/active-option.ts'
import { Dialog } from '../../../ui/index.ts'
import type { Place } from '../../paths.ts'
import type { Overlay } from '../overlay.ts'
import { type Entry, matching } from './entries.ts'
import styles from './palette.module.css'
import { useEntries } from './use-entries.ts'

interface Props {
  readonly user: UserInfo
  readonly place: Place
  readonly onClose: () => void
  readonly onOpen: (overlay: Overlay) => void
}

/** Go anywhere, do anything: pages, objects, saved queries and actions by name. */
export function Palette({ user, place, onClose, onOpen }: Props) {
  const [text, setText] = useState('')
  const { entries, isLooking } = useEntries(text, { user, place, onOpen })
  const shown = matching(entries, text)
  const active = useActiveOption(shown)
  const list = useId()
  const act = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.act()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) active.move(step)
    else if (event.key === 'Enter') act(shown[active.index])
    else return
    event.preventDefault()
  }
  return (
    <Dialog open title={t('palette.title')} onClose={onClose} width={600}>
      <input
        role="combobox"
        className={styles['input']}
        aria-label={t('palette.placeholder')}
        aria-expanded={shown.length > 0}
        aria-controls={list}
        aria-activedescendant={shown[active.index] ? `${list}-${active.index}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('palette.placeholder')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          active.reset(null)
        }}
        onKeyDown={press}
      />
      <div id={list} role="listbox" aria-label={t('palette.results')} className={styles['list']}>
        {shown.map((entry, index) => (
          <Option
            key={entry.key}
            id={`${list}-${index}`}
            entry={entry}
            isActive={index === active.index}
            onChoose={() => act(entry)}
          />
        ))}
      </div>
      {(shown.length === 0 || isLooking) && (
        <p className={styles['note']} role="status">
          {isLooking ? t('palette.looking') : t('palette.nothing')}
        </p>
      )}
    </Dialog>
  )
}

interface OptionProps {
  readonly id: string
  readonly entry: Entry
  readonly isActive: boolean
  readonly onChoose: () => void
}

function Option({ id, entry, isActive, onChoose }: OptionProps) {
  const option = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <button
      ref={option}
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles['option']}
      onClick={onChoose}
    >
      <span className={styles['name']}>{entry.name}</span>
      {entry.hint && <span className={styles['hint']}>{entry.hint}</span>}
      <span className={styles['kind']}>{t(`palette.kinds.${entry.kind}`)}</span>
    </button>
  )
}
