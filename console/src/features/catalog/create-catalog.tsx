import {
  CATALOG_FIELDS,
  type CatalogField,
  fieldFault,
  fieldsOf,
  METASTORE_NAMES,
  type Metastore,
  METASTORES,
  SECRET_FIELDS,
  type StorageAccess,
} from '@boathouse/contract/external-catalogs'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { notify, PasswordField, Segmented, Select, TextField } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { CatalogDialog } from './catalog-dialog.tsx'
import { useChange } from './use-live-schema.ts'

type Values = Readonly<Record<CatalogField, string>>
type Faults = Partial<Record<CatalogField, string | undefined>>

const EMPTY = Object.fromEntries(CATALOG_FIELDS.map((field) => [field, ''])) as Values

interface Props {
  readonly onClose: () => void
}

type Kind = 'internal' | Metastore

const askedOf = (kind: Kind, access: StorageAccess): readonly CatalogField[] =>
  kind === 'internal' ? [] : fieldsOf(kind, access)

/** CATALOG-14 to CATALOG-25: what is asked for depends on the kind of catalog and on the way to the files. */
export function CreateCatalog({ onClose }: Props) {
  const [kind, setKind] = useState<Kind>('internal')
  const [access, setAccess] = useState<StorageAccess>('key')
  const [values, setValues] = useState(EMPTY)
  const [faults, setFaults] = useState<Faults>({})
  const create = useChange(schema.createCatalog)
  const add = useChange(schema.addCatalog)
  const fields = askedOf(kind, access)
  const asked = ['name', 'description', ...fields] as const

  const confirm = async () => {
    const found = Object.fromEntries(
      asked.map((field) => [field, fieldFault(field, values[field])]),
    ) as Faults
    setFaults(found)
    const wrong = asked.find((field) => found[field])
    if (wrong) {
      document.querySelector<HTMLInputElement>(`[name=catalog-${wrong}]`)?.focus()
      return false
    }
    if (kind === 'internal') {
      await create.mutateAsync({ name: values.name, description: values.description })
      return true
    }
    const sent = Object.fromEntries(asked.map((field) => [field, values[field]]))
    const { notice } = await add.mutateAsync({ metastoreType: kind, access, ...sent })
    if (notice) notify({ tone: 'warn', message: notice })
    return true
  }

  const field = (name: CatalogField) => {
    const shared = {
      label: t(`catalog.createCatalog.field.${name}`),
      error: faults[name],
      name: `catalog-${name}`,
      autoComplete: 'off',
      spellCheck: false,
      value: values[name],
      onChange: (event: { target: { value: string } }) => {
        setValues((before) => ({ ...before, [name]: event.target.value }))
        setFaults((before) => ({ ...before, [name]: undefined }))
      },
      onBlur: ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
        // A message that appears here would move the button away from under the pointer; it tells the fault itself.
        if (relatedTarget instanceof HTMLButtonElement) return
        if (values[name]) setFaults((before) => ({ ...before, [name]: fieldFault(name, values[name]) }))
      },
    }
    if (SECRET_FIELDS.has(name)) return <PasswordField key={name} {...shared} />
    const help = name === 'externalId' ? t('catalog.createCatalog.externalIdHelp') : undefined
    return <TextField key={name} {...shared} help={help} mono={name !== 'description'} />
  }
  const [region, ...dependent] = fields
  const ofAccess = dependent.slice(-2)
  const ofMetastore = dependent.slice(0, -2)
  return (
    <CatalogDialog
      width={600}
      title={t('catalog.createCatalog.title')}
      confirmLabel={t('catalog.createCatalog.action')}
      hint={t('catalog.createCatalog.retry')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className={styles['pair']}>
        {field('name')}
        {field('description')}
      </div>
      <Select
        label={t('catalog.createCatalog.kind')}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        options={[
          { value: 'internal', label: t('catalog.createCatalog.internal') },
          ...METASTORES.map((value) => ({ value, label: METASTORE_NAMES[value] })),
        ]}
      />
      {ofMetastore.length > 0 && <div className={styles['dependent']}>{ofMetastore.map(field)}</div>}
      {kind !== 'internal' && (
        <div className={styles['pair']}>
          <div className={styles['access']}>
            <span>{t('catalog.createCatalog.access')}</span>
            <Segmented
              label={t('catalog.createCatalog.access')}
              value={access}
              segments={[
                { value: 'key', label: t('catalog.createCatalog.accessKey') },
                { value: 'role', label: t('catalog.createCatalog.accessRole') },
              ]}
              onChange={setAccess}
            />
          </div>
          {region && field(region)}
        </div>
      )}
      <div className={styles['pair']}>{ofAccess.map(field)}</div>
      <p className={styles['note']}>
        {kind === 'internal'
          ? t('catalog.createCatalog.internalNote')
          : t('catalog.createCatalog.engineNote')}
      </p>
    </CatalogDialog>
  )
}
