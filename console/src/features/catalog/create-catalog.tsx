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
  SECRET_FIELDS,
  type StorageAccess,
} from '@boathouse/contract/external-catalogs'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Button, notify, PasswordField, Segmented, Select, TextField, useProblems } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { CatalogDialog } from './catalog-dialog.tsx'
import { ConnectionTold, useConnectionTest } from './test-connection.tsx'
import { useChange } from './use-live-schema.ts'

type Values = Readonly<Record<CatalogField, string>>

const EMPTY = Object.fromEntries(CATALOG_FIELDS.map((field) => [field, ''])) as Values

interface Props {
  readonly onClose: () => void
}

type Kind = 'internal' | Metastore

const askedOf = (kind: Kind, access: StorageAccess): readonly CatalogField[] =>
  kind === 'internal' ? [] : fieldsOf(kind, access)

const HELP = {
  externalId: 'catalog.createCatalog.externalIdHelp',
  s3Endpoint: 'catalog.createCatalog.endpointHelp',
  s3Prefix: 'catalog.createCatalog.prefixHelp',
  oauthCredential: 'catalog.createCatalog.credentialHelp',
  oauthUrl: 'catalog.createCatalog.oauthUrlHelp',
  oauthScope: 'catalog.createCatalog.oauthScopeHelp',
} as const

const NOTES = {
  folder: 'catalog.createCatalog.folderNote',
  bucket: 'catalog.createCatalog.bucketNote',
  tabular: 'catalog.createCatalog.icebergNote',
} as const

const ACCESS_NAMES = {
  key: 'catalog.createCatalog.accessKey',
  role: 'catalog.createCatalog.accessRole',
  vended: 'catalog.createCatalog.accessVended',
} as const

function helpOf(field: CatalogField, folders: readonly string[] | undefined): string | undefined {
  if (field in HELP) return t(HELP[field as keyof typeof HELP])
  if (field !== 'folder' || !folders) return undefined
  return folders.length === 0
    ? t('catalog.createCatalog.noFolders')
    : t('catalog.createCatalog.folderHelp', { folders: folders.join(', ') })
}

type Unreadable = readonly { readonly metastoreType: Metastore; readonly why: string }[]

/** What such a catalog is, or why the engine does not read it, in words of the service. */
function noteOf(kind: Kind, unreadable: Unreadable = []): string {
  if (kind === 'internal') return t('catalog.createCatalog.internalNote')
  const why = unreadable.find(({ metastoreType }) => metastoreType === kind)?.why
  if (why !== undefined || !(kind in NOTES)) return why ?? ''
  return t(NOTES[kind as keyof typeof NOTES])
}

/** CATALOG-14 to CATALOG-25: what is asked for depends on the kind of catalog and on the way to the files. */
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

  const field = (name: CatalogField) => {
    const shared = {
      label: t(`catalog.createCatalog.field.${name}`),
      ...problems.of(name),
      name: `catalog-${name}`,
      autoComplete: 'off',
      spellCheck: false,
      value: values[name],
      onChange: (event: { target: { value: string } }) => {
        setValues((before) => ({ ...before, [name]: event.target.value }))
        connection.forget()
      },
    }
    const help = helpOf(name, options.data?.folders)
    if (SECRET_FIELDS.has(name)) return <PasswordField key={name} {...shared} help={help} />
    return <TextField key={name} {...shared} help={help} mono={name !== 'description'} />
  }
  const isElsewhere = kind !== 'internal' && !hasOneWay(kind)
  const ofAccess = isElsewhere ? fieldsOfAccess(access) : []
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
          <div className={styles['access']}>
            <span>{t('catalog.createCatalog.access')}</span>
            <Segmented
              label={t('catalog.createCatalog.access')}
              value={access}
              segments={accessesOf(kind).map((value) => ({ value, label: t(ACCESS_NAMES[value]) }))}
              onChange={setAccess}
            />
          </div>
          {field('s3Region')}
        </div>
      )}
      {ofAccess.length > 0 && <div className={styles['pair']}>{ofAccess.map(field)}</div>}
      <p className={styles['note']}>{noteOf(kind, options.data?.unreadable)}</p>
      <ConnectionTold told={connection.told} />
    </CatalogDialog>
  )
}
