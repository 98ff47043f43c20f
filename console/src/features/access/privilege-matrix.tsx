import { type Grant, type MatrixType, MATRIX_TYPES, perms } from '@boathouse/contract/perms'
import { type AccessObject, objectOf, type Privilege } from '@boathouse/contract/privileges'
import { LIMITS } from '@boathouse/contract/limits'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSettled } from '../../lib/settled.ts'
import { Pager, Refusal, Segmented, Select, Skeleton, Stack, TextField, Toolbar } from '../../ui/index.ts'
import styles from './access.module.css'
import { GrantDialog } from './grant-dialog.tsx'
import { MatrixTable } from './matrix-table.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { useCatalogs, useDatabases, useObjectNames } from './use-matrix-names.ts'

type Open =
  | { readonly kind: 'grant'; readonly object: AccessObject; readonly privilege: Privilege }
  | { readonly kind: 'revoke'; readonly grant: Grant }

/** What one role may do with the objects of a database, by its own grants and by what it inherits; granted and revoked there. */
export function PrivilegeMatrix({ role, isFixed }: { role: string; isFixed: boolean }) {
  const [type, setType] = useState<MatrixType>('table')
  const [chosenCatalog, setCatalog] = useState('')
  const [chosenDatabase, setDatabase] = useState('')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<Open | null>(null)
  const catalogs = useCatalogs()
  const catalog = chosenCatalog || (catalogs.data?.[0] ?? '')
  const databases = useDatabases(catalog)
  const known = databases.data ?? []
  const database = known.includes(chosenDatabase) ? chosenDatabase : (known[0] ?? '')
  const place = { type, catalog, database }
  const { names, isLoading, error } = useObjectNames(place)
  const wanted = useSettled(search.trim().toLowerCase())
  const found = wanted === '' ? names : names.filter((name) => name.toLowerCase().includes(wanted))
  const shown = found.slice((page - 1) * LIMITS.pageSize, page * LIMITS.pageSize)
  const matrix = useCall(
    perms.roleMatrix,
    { role, ...place, names: [...shown] },
    { silent: true, staleTime: 0, enabled: database !== '' && !isLoading },
  )
  const anew = (change: () => void) => () => {
    change()
    setPage(1)
  }
  const failure = catalogs.error ?? databases.error ?? error ?? matrix.error
  const all = objectOf(type, { catalog, database })
  const objects = [all, ...shown.map((name) => objectOf(type, { catalog, database, name }))]
  return (
    <Stack>
      <Toolbar
        search={
          <TextField
            label={t('access.matrix.filter')}
            hideLabel
            type="search"
            placeholder={t('access.matrix.filter')}
            value={search}
            onChange={(event) => anew(() => setSearch(event.target.value))()}
          />
        }
      >
        <Select
          label={t('access.matrix.catalog')}
          hideLabel
          value={catalog}
          options={(catalogs.data ?? []).map((value) => ({ value, label: value }))}
          onChange={(value) => anew(() => setCatalog(value))()}
        />
        <Select
          label={t('access.matrix.database')}
          hideLabel
          searchable
          value={database}
          options={known.map((value) => ({ value, label: value }))}
          onChange={(value) => anew(() => setDatabase(value))()}
        />
        <Segmented
          label={t('access.matrix.type')}
          value={type}
          segments={MATRIX_TYPES.map((value) => ({ value, label: t(`access.matrix.types.${value}`) }))}
          onChange={(value) => anew(() => setType(value))()}
        />
      </Toolbar>
      <Refusal text={failure?.message} />
      {!failure && (isLoading || !matrix.data) && database !== '' && <Skeleton height={240} />}
      {!failure && databases.data && database === '' && (
        <p className={styles['note']}>{t('access.matrix.noDatabase')}</p>
      )}
      {!failure && !isLoading && matrix.data && (
        <MatrixTable
          label={t('access.matrix.of', { role, place: `${catalog}.${database}` })}
          type={type}
          objects={objects}
          nameOf={(object) => object.name || t(`access.object.all.${type}`)}
          grants={matrix.data.list}
          isFixed={isFixed}
          onGrant={(object, privilege) => setOpen({ kind: 'grant', object, privilege })}
          onRevoke={(grant) => setOpen({ kind: 'revoke', grant })}
        />
      )}
      <Pager
        label={t('access.matrix.objects')}
        page={page}
        pageSize={LIMITS.pageSize}
        total={found.length}
        onPage={setPage}
      />
      {open && <Opened role={role} of={open} onClose={() => setOpen(null)} />}
    </Stack>
  )
}

function Opened({ role, of, onClose }: { role: string; of: Open; onClose: () => void }) {
  const grantee = { kind: 'role', name: role } as const
  if (of.kind === 'grant') return <GrantDialog grantee={grantee} begin={of} onClose={onClose} />
  return <RevokeDialog grantee={grantee} grant={of.grant} onClose={onClose} />
}
