import { type CatalogField, SECRET_FIELDS } from '@boathouse/contract/external-catalogs'
import { t } from '../../i18n/texts.ts'
import { PasswordField, TextField } from '../../ui/index.ts'

const HELP = {
  externalId: 'catalog.createCatalog.externalIdHelp',
  s3Endpoint: 'catalog.createCatalog.endpointHelp',
  s3Prefix: 'catalog.createCatalog.prefixHelp',
  oauthCredential: 'catalog.createCatalog.credentialHelp',
  oauthUrl: 'catalog.createCatalog.oauthUrlHelp',
  oauthScope: 'catalog.createCatalog.oauthScopeHelp',
} as const

function helpOf(field: CatalogField, folders: readonly string[] | undefined): string | undefined {
  if (field in HELP) return t(HELP[field as keyof typeof HELP])
  if (field !== 'folder' || !folders) return undefined
  return folders.length === 0
    ? t('catalog.createCatalog.noFolders')
    : t('catalog.createCatalog.folderHelp', { folders: folders.join(', ') })
}

interface Props {
  readonly name: CatalogField
  readonly value: string
  /** What is wrong with it, as the form says it. */
  readonly problem: object
  /** Folders of the installation that a catalog can read. */
  readonly folders: readonly string[] | undefined
  readonly onChange: (value: string) => void
}

export function CatalogFieldInput({ name, value, problem, folders, onChange }: Props) {
  const shared = {
    label: t(`catalog.createCatalog.field.${name}`),
    ...problem,
    name: `catalog-${name}`,
    autoComplete: 'off',
    spellCheck: false,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    help: helpOf(name, folders),
  }
  if (SECRET_FIELDS.has(name)) return <PasswordField {...shared} />
  return <TextField {...shared} mono={name !== 'description'} />
}
