import {
  accessesOf,
  CATALOG_FIELDS,
  type CatalogField,
  fieldFault,
  fieldsOf,
  fieldsOfAccess,
  hasOneWay,
  METASTORE_NAMES,
  type Metastore,
  METASTORES,
  type StorageAccess,
} from '@boathouse/contract/external-catalogs'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Button, notify, Segmented, Select, useProblems } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { CatalogDialog } from './catalog-dialog.tsx'
import { CatalogFieldInput } from './catalog-field.tsx'
import { ConnectionResult, useConnectionTest } from './test-connection.tsx'
import { useChange } from './use-live-schema.ts'

type Values = Readonly<Record<CatalogField, string>>

const EMPTY = Object.fromEntries(CATALOG_FIELDS.map((field) => [field, ''])) as Values

interface Props {
  readonly onClose: () => void
}

type Kind = 'internal' | Metastore

const askedOf = (kind: Kind, access: StorageAccess): readonly CatalogField[] =>
  kind === 'internal' ? [] : fieldsOf(kind, access)

const NOTES = {
  folder: 'catalog.createCatalog.folderNote',
  bucket: 'catalog.createCatalog.bucketNote',
  tabular: 'catalog.createCatalog.icebergNote',
  glue: 'catalog.createCatalog.glueNote',
  hive: 'catalog.createCatalog.hiveNote',
} as const

const ACCESS_NAMES = {
  key: 'catalog.createCatalog.accessKey',
  role: 'catalog.createCatalog.accessRole',
  vended: 'catalog.createCatalog.accessVended',
} as const

type Unreadable = readonly { readonly metastoreType: Metastore; readonly why: string }[]

/** What such a catalog is, or why the engine does not read it, as the service says it. */
function noteOf(kind: Kind, unreadable: Unreadable = []): string {
  if (kind === 'internal') return t('catalog.createCatalog.internalNote')
  const why = unreadable.find(({ metastoreType }) => metastoreType === kind)?.why
  if (why !== undefined || !(kind in NOTES)) return why ?? ''
  return t(NOTES[kind as keyof typeof NOTES])
}

/** The fields depend on the kind of catalog and on the access to the files. */
export function CreateCatalog({ onClose }: Props) {
  const [kind, setKind] = useState<Kind>('internal')
  const [access, setAccess] = useState<StorageAccess>('key')
  const [values, setValues] = useState(EMPTY)
  const create = useChange(schema.createCatalog)
  const add = useChange(schema.addCatalog)
  const fields = askedOf(kind, access)
  const asked = ['name', 'description', ...fields] as const

  const options = useCall(schema.catalogOptions, {}, { silent: true })
  const connection = useConnectionTest()

  const problems = useProblems(
    Object.fromEntries(asked.map((field) => [field, fieldFault(field, values[field])])),
  )

  const confirm = async () => {
    if (!problems.accept()) return false
    if (kind === 'internal') {
      await create.mutateAsync({ name: values.name, description: values.description })
      return true
    }
    const { notice } = await add.mutateAsync(draftOf(kind))
    if (notice) notify({ tone: 'warn', message: notice })
    return true
  }

  const draftOf = (metastoreType: Metastore) => ({
    metastoreType,
    access,
    ...Object.fromEntries(asked.map((field) => [field, values[field]])),
  })

  const field = (name: CatalogField) => (
    <CatalogFieldInput
      key={name}
      name={name}
      value={values[name]}
      problem={problems.of(name)}
      folders={options.data?.folders}
      onChange={(value) => {
        setValues((before) => ({ ...before, [name]: value }))
        connection.forget()
      }}
    />
  )
  const isElsewhere = kind !== 'internal' && !hasOneWay(kind)
  const ofAccess = isElsewhere
    ? [...fieldsOfAccess(access), ...fields.filter((name) => name === 'sessionToken')]
    : []
  const ofMetastore = isElsewhere
    ? fields.filter((name) => name !== 's3Region' && !ofAccess.includes(name))
    : fields
  return (
    <CatalogDialog
      width={600}
      title={t('catalog.createCatalog.title')}
      confirmLabel={t('catalog.createCatalog.action')}
      hint={t('catalog.createCatalog.retry')}
      aside={
        kind !== 'internal' && (
          <Button
            loading={connection.isTesting}
            onClick={() => {
              if (problems.accept()) void connection.run(draftOf(kind))
            }}
          >
            {t('catalog.createCatalog.test')}
          </Button>
        )
      }
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
        onChange={(value) => {
          setKind(value as Kind)
          if (value !== 'internal' && !accessesOf(value as Metastore).includes(access)) setAccess('key')
          connection.forget()
        }}
        options={[
          { value: 'internal', label: t('catalog.createCatalog.internal') },
          ...METASTORES.map((value) => ({ value, label: METASTORE_NAMES[value] })),
        ]}
      />
      {ofMetastore.length > 0 && <div className={styles['dependent']}>{ofMetastore.map(field)}</div>}
      {isElsewhere && (
        <div className={styles['pair']}>
          <AccessChoice metastore={kind} value={access} onChange={setAccess} />
          {field('s3Region')}
        </div>
      )}
      {ofAccess.length > 0 && <div className={styles['pair']}>{ofAccess.map(field)}</div>}
      <p className={styles['note']}>{noteOf(kind, options.data?.unreadable)}</p>
      <ConnectionResult result={connection.result} />
    </CatalogDialog>
  )
}

interface AccessProps {
  readonly metastore: Metastore
  readonly value: StorageAccess
  readonly onChange: (access: StorageAccess) => void
}

/** How the engine gets access to the files. */
function AccessChoice({ metastore, value, onChange }: AccessProps) {
  return (
    <div className={styles['access']}>
      <span>{t('catalog.createCatalog.access')}</span>
      <Segmented
        label={t('catalog.createCatalog.access')}
        value={value}
        segments={accessesOf(metastore).map((one) => ({ value: one, label: t(ACCESS_NAMES[one]) }))}
        onChange={onChange}
      />
    </div>
  )
}
