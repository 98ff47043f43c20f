import '../../../i18n/search.ts'
import { editor } from '@boathouse/contract/editor'
import { LAYOUT } from '@boathouse/contract/limits'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { IconSearch } from '../../../ui/icons.ts'
import { useActiveOption } from '../../../ui/active-option.ts'
import { Kbd, Segmented } from '../../../ui/index.ts'
import { editorPath } from '../../paths.ts'
import type { Place } from '../../paths.ts'
import { isWriting } from '../overlay.ts'
import { addressOf, holdsWords, keyOf, pathOf } from './found-names.ts'
import styles from './search-box.module.css'
import { type Hit, matching, savedTabs } from './search-hits.ts'
import { useFoundNames } from './use-found-names.ts'

type Scope = 'catalogs' | 'queries'

/** Catalogs and what is in them, or saved queries, by name. */
export function SearchBox({ place }: { place: Place }) {
  const [scope, setScope] = useState<Scope>('catalogs')
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { hits, failure, isKnown } = useHits(place, scope, text)
  const active = useActiveOption(hits)
  const navigate = useNavigate()
  const input = useSlash()
  const list = useId()
  const close = () => {
    setOpen(false)
    setText('')
    // Where the field lies over the bar, it is out of the way again.
    input.current?.blur()
  }
  const go = (hit: Hit | undefined) => {
    if (!hit) return
    close()
    void navigate({ href: hit.address })
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && hits.length > 0) {
      event.preventDefault()
      active.move(step)
    } else if (event.key === 'Enter') go(hits[active.index])
    else if (event.key === 'Escape') close()
  }
  const style = { '--box': `${LAYOUT.searchBoxPx}px` } as React.CSSProperties
  const isShown = isOpen && text.trim() !== ''
  return (
    <search className={styles['box']} style={style}>
      <IconSearch size={16} stroke={1.6} aria-hidden />
      <input
        ref={input}
        role="combobox"
        className={styles['input']}
        aria-label={t(`search.placeholder.${scope}`)}
        aria-expanded={isShown}
        aria-controls={list}
        aria-activedescendant={isShown && hits[active.index] ? `${list}-${active.index}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={t(`search.placeholder.${scope}`)}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          active.reset(null)
          setOpen(true)
        }}
        onKeyDown={press}
        onBlur={() => setOpen(false)}
        onFocus={() => setOpen(true)}
      />
      <Kbd keys={['/']} />
      <Segmented
        label={t('search.scope')}
        value={scope}
        segments={[
          { value: 'catalogs', label: t('search.catalogs') },
          { value: 'queries', label: t('search.queries') },
        ]}
        onChange={(next) => {
          setScope(next)
          active.reset(null)
          input.current?.focus()
        }}
      />
      <div
        id={list}
        role="listbox"
        aria-label={t('search.label')}
        className={styles['hits']}
        hidden={!isShown}
      >
        {hits.map((hit, index) => (
          <button
            key={hit.key}
            type="button"
            tabIndex={-1}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active.index}
            className={styles['hit']}
            // Before the field loses the focus, which would close the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(hit)}
          >
            {hit.name}
            <span className={styles['hint']}>{hit.hint}</span>
          </button>
        ))}
      </div>
      {isShown && hits.length === 0 && (failure || isKnown) && (
        <p className={styles['nothing']} role="status">
          {failure ? t('search.failed', { message: failure }) : t('search.nothing')}
        </p>
      )}
    </search>
  )
}

const MOST = 20

/** Loaded when the user types. */
function useHits(place: Place, scope: Scope, text: string) {
  const isAsked = text.trim() !== ''
  const inCatalogs = scope === 'catalogs'
  const names = useFoundNames(text, { limit: MOST, isAsked: inCatalogs })
  const saved = useCall(editor.listTabTree, {}, { silent: true, enabled: isAsked && !inCatalogs })
  if (inCatalogs) {
    // What was found for the letters before is shown as long as it matches these, too.
    const matches = names.found.filter((found) => holdsWords(found, text))
    const hits = matches.map((found): Hit => ({
      key: keyOf(found),
      name: found.name,
      hint:
        found.type === 'catalog'
          ? found.catalogType
          : t('search.in', { kind: t(`search.kinds.${found.type}`), path: pathOf(found) }),
      address: addressOf(place, found),
    }))
    return { hits, failure: names.error?.message, isKnown: !names.isLooking }
  }
  const hits = savedTabs(saved.data ?? { folders: [], tabs: [] }).map(
    ({ bizId, tabName, parentFolderName }): Hit => {
      const address = editorPath(place, { activeTab: bizId, tabName })
      return { key: bizId, name: tabName, hint: parentFolderName, address }
    },
  )
  return { hits: matching(hits, text), failure: saved.error?.message, isKnown: saved.data !== undefined }
}

/** `/` where it is not a letter of what somebody writes. */
function useSlash() {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.metaKey || event.ctrlKey || event.altKey || isWriting(event.target))
        return
      event.preventDefault()
      input.current?.focus()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return input
}
