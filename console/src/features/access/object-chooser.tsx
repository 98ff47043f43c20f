import {
  type AccessObject,
  OBJECT_TYPES,
  objectOf,
  objectText,
  type ObjectType,
  PARTS,
} from '@boathouse/contract/privileges'
import { t } from '../../i18n/texts.ts'
import { Select } from '../../ui/index.ts'
import styles from './access.module.css'
import { useObjectNames } from './use-object-names.ts'

type Part = 'catalog' | 'database' | 'name'

interface Props {
  readonly value: AccessObject
  readonly onChange: (object: AccessObject) => void
}

const typeOf = (text: string): ObjectType => OBJECT_TYPES.find((type) => type === text) ?? 'system'

/** A part that is empty stands for all; as an option it needs a value that no name can have. */
const ALL = 'all'
const optionOf = (name: string): string => (name === '' ? ALL : `=${name}`)
const nameOf = (option: string): string => (option === ALL ? '' : option.slice(1))

/** What is inside the part that changed is another, so it is chosen anew. */
function withPart(object: AccessObject, part: Part, name: string): AccessObject {
  const own: readonly Part[] = PARTS[object.type]
  const kept = own.slice(0, own.indexOf(part))
  return objectOf(object.type, {
    ...Object.fromEntries(kept.map((one) => [one, object[one]])),
    [part]: name,
  })
}

/** First the type, then from the outside in; at each step one of them, or all. */
export function ObjectChooser({ value, onChange }: Props) {
  const own: readonly Part[] = PARTS[value.type]
  const shown = own.filter((_, index) => own.slice(0, index).every((outer) => value[outer] !== ''))
  return (
    <div className={styles['chooser']}>
      <Select
        label={t('access.object.type')}
        options={OBJECT_TYPES.map((type) => ({ value: type, label: t(`access.object.types.${type}`) }))}
        value={value.type}
        onChange={(type) => onChange(objectOf(typeOf(type)))}
      />
      {shown.map((part) => (
        <PartSelect
          key={part}
          object={value}
          part={part}
          onChange={(name) => onChange(withPart(value, part, name))}
        />
      ))}
      <code className={styles['chosen']}>{objectText(value)}</code>
    </div>
  )
}

interface PartProps {
  readonly object: AccessObject
  readonly part: Part
  readonly onChange: (name: string) => void
}

function PartSelect({ object, part, onChange }: PartProps) {
  const { names, failure } = useObjectNames(object, part)
  const { type } = object
  const kind = part === 'name' && type !== 'system' ? type : part === 'database' ? 'database' : 'catalog'
  const chosen = object[part]
  const listed = chosen === '' || names.includes(chosen) ? names : [chosen, ...names]
  return (
    <div>
      <Select
        label={t(`access.object.${kind}`)}
        searchable
        options={[
          { value: ALL, label: t(`access.object.all.${kind}`) },
          ...listed.map((name) => ({ value: optionOf(name), label: name })),
        ]}
        value={optionOf(chosen)}
        onChange={(option) => onChange(nameOf(option))}
      />
      {failure && (
        <p className={styles['note']} role="status">
          {t('access.object.notListed', { message: failure })}
        </p>
      )}
    </div>
  )
}
