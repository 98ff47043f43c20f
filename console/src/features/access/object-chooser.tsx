import {
  type AccessObject,
  OBJECT_TYPES,
  objectOf,
  objectText,
  type ObjectType,
} from '@boathouse/contract/privileges'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { IconCheck, IconDatabase, IconServerBolt } from '../../ui/icons.ts'
import { Chips, Select, TextField } from '../../ui/index.ts'
import { Tree } from '../../ui/tree/tree.tsx'
import styles from './access.module.css'
import { foundRows, type NamedType, type ObjectRow, rowId } from './object-rows.ts'
import { isSearched, useFoundObjects } from './use-found-objects.ts'
import { useObjectRows } from './use-object-rows.ts'

interface Props {
  readonly type: ObjectType
  readonly chosen: readonly AccessObject[]
  /** Of the system there is one, which is chosen by its type. */
  readonly onType: (type: ObjectType, chosen: readonly AccessObject[]) => void
  /** Chooses it, or no longer does. */
  readonly onToggle: (object: AccessObject) => void
  /** Another choice takes its place. */
  readonly isSingle?: boolean
  readonly error?: string | undefined
}

const typeOf = (text: string): ObjectType => OBJECT_TYPES.find((type) => type === text) ?? 'system'

/** First the type, then in its tree or by a search the objects, or all of them at any level. */
export function ObjectChooser({ type, chosen, onType, onToggle, isSingle = false, error }: Props) {
  const choose = (text: string) => {
    const next = typeOf(text)
    onType(next, next === 'system' ? [objectOf('system')] : [])
  }
  return (
    <div className={styles['chooser']}>
      <Select
        label={t('access.object.type')}
        options={OBJECT_TYPES.map((one) => ({ value: one, label: t(`access.object.types.${one}`) }))}
        value={type}
        onChange={choose}
      />
      {type !== 'system' && <Objects key={type} type={type} chosen={chosen} onToggle={onToggle} />}
      <Chosen objects={chosen} onRemove={type === 'system' || isSingle ? null : onToggle} />
      {error && (
        <p className={styles['refusal']} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

interface ChosenProps {
  readonly objects: readonly AccessObject[]
  readonly onRemove: ((object: AccessObject) => void) | null
}

function Chosen({ objects, onRemove }: ChosenProps) {
  if (objects.length === 0) return <p className={styles['note']}>{t('access.object.nothingChosen')}</p>
  return (
    <Chips
      label={t('access.object.chosen')}
      chips={objects.map((object) => ({
        id: rowKey(object),
        content: <code>{objectText(object)}</code>,
        remove: onRemove
          ? {
              label: t('access.object.remove', { object: objectText(object) }),
              onClick: () => onRemove(object),
            }
          : undefined,
      }))}
    />
  )
}

const rowKey = (object: AccessObject): string => (object.type === 'system' ? 'system' : rowId(object))

const ICON = { size: 15, stroke: 1.6, 'aria-hidden': true } as const

function iconOf({ object, isNote }: ObjectRow) {
  if (isNote) return null
  return object?.type === 'warehouse' ? <IconServerBolt {...ICON} /> : <IconDatabase {...ICON} />
}

const CHOSEN = <IconCheck {...ICON} className={styles['reach']} />

const isNote = (row: ObjectRow): boolean => row.isNote

interface ObjectsProps {
  readonly type: NamedType
  readonly chosen: readonly AccessObject[]
  readonly onToggle: (object: AccessObject) => void
}

function Objects({ type, chosen, onToggle }: ObjectsProps) {
  const [text, setText] = useState('')
  const tree = useObjectRows(type)
  const { found, isLooking, error } = useFoundObjects(type, text)
  const isFiltered = text.trim() !== ''
  const note = error?.message ?? (isLooking ? t('ui.searching') : t('ui.nothingFound'))
  const rows = isFiltered ? foundRows(found, note) : tree.rows
  const isChosen = new Set(chosen.map(rowId))
  const act = (row: ObjectRow) => {
    if (row.object) onToggle(row.object)
    else if (row.expanded !== null) tree.toggle(row.id)
  }
  return (
    <>
      {isSearched(type) && (
        <TextField
          label={t('access.object.search')}
          hideLabel
          placeholder={t('access.object.search')}
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          // The form is not sent by a search.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div className={styles['objects']}>
        <Tree
          label={t('access.object.tree', { type: t(`access.object.types.${type}`) })}
          rows={rows}
          activeId={null}
          selected={isChosen}
          onAct={act}
          onToggle={tree.toggle}
          icon={iconOf}
          isNote={isNote}
          end={(row) => (isChosen.has(row.id) ? CHOSEN : null)}
        />
      </div>
    </>
  )
}
