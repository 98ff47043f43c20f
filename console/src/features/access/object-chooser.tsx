import {
  type AccessObject,
  OBJECT_TYPES,
  objectOf,
  objectText,
  type ObjectType,
  PARTS,
} from '@boathouse/contract/privileges'
import { t } from '../../i18n/texts.ts'
import { IconDatabase, IconServerBolt } from '../../ui/icons.ts'
import { Select } from '../../ui/index.ts'
import { Tree } from '../../ui/tree/tree.tsx'
import styles from './access.module.css'
import { type NamedType, type ObjectRow, rowId } from './object-rows.ts'
import { useObjectRows } from './use-object-rows.ts'

interface Props {
  readonly value: AccessObject
  readonly onChange: (object: AccessObject) => void
}

const typeOf = (text: string): ObjectType => OBJECT_TYPES.find((type) => type === text) ?? 'system'

/** First the type, then in its tree one of them, or all of them at any level. */
export function ObjectChooser({ value, onChange }: Props) {
  const { type } = value
  return (
    <div className={styles['chooser']}>
      <Select
        label={t('access.object.type')}
        options={OBJECT_TYPES.map((one) => ({ value: one, label: t(`access.object.types.${one}`) }))}
        value={type}
        onChange={(chosen) => onChange(objectOf(typeOf(chosen)))}
      />
      {type !== 'system' && <ObjectTree key={type} type={type} value={value} onChange={onChange} />}
      <code className={styles['chosen']}>{objectText(value)}</code>
    </div>
  )
}

const ICON = { size: 15, stroke: 1.6, 'aria-hidden': true } as const

function iconOf({ object }: ObjectRow) {
  if (!object) return null
  return object.type === 'warehouse' ? <IconServerBolt {...ICON} /> : <IconDatabase {...ICON} />
}

const isNote = ({ object }: ObjectRow): boolean => object === null

/** Of a row that stands for more than itself. */
function reachOf({ object }: ObjectRow) {
  if (!object || object.type === 'system') return null
  const isWhole = PARTS[object.type].every((part) => object[part] !== '')
  return isWhole ? null : <span className={styles['reach']}>{t(`access.object.all.${object.type}`)}</span>
}

function ObjectTree({ type, value, onChange }: Props & { type: NamedType }) {
  const { rows, toggle } = useObjectRows(type)
  const act = (row: ObjectRow) => {
    if (!row.object) return
    onChange(row.object)
    if (row.expanded === false) toggle(row.id)
  }
  return (
    <div className={styles['objects']}>
      <Tree
        label={t('access.object.tree', { type: t(`access.object.types.${type}`) })}
        rows={rows}
        activeId={rowId(value)}
        onAct={act}
        onToggle={toggle}
        icon={iconOf}
        isNote={isNote}
        end={reachOf}
      />
    </div>
  )
}
