import { audit } from '@boathouse/contract/audit'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { Button, Select, TextField, TimeField, Toolbar } from '../../../ui/index.ts'
import { type AuditSearch, isNarrowed, NOTHING } from './audit-search.ts'

interface Props {
  readonly search: AuditSearch
  readonly onSearch: (search: AuditSearch) => void
}

export function AuditFilters({ search, onSearch }: Props) {
  const change = (part: Partial<AuditSearch>) => onSearch({ ...search, ...part })
  const types = useCall(audit.objectTypes, {}, { silent: true }).data?.objectTypes ?? []
  return (
    <Toolbar
      search={
        <TextField
          label={t('audit.search')}
          type="search"
          maxLength={256}
          value={search.text}
          onChange={(event) => change({ text: event.target.value })}
        />
      }
    >
      <Select
        label={t('audit.filter.type')}
        width={150}
        value={search.objectType}
        options={[
          { value: '', label: t('audit.filter.anyType') },
          ...types.map((type) => ({ value: type, label: type })),
        ]}
        onChange={(objectType) => change({ objectType })}
      />
      <div style={{ width: 110 }}>
        <TextField
          label={t('audit.filter.actor')}
          maxLength={256}
          autoComplete="off"
          spellCheck={false}
          value={search.actor}
          onChange={(event) => change({ actor: event.target.value })}
        />
      </div>
      {(['from', 'until'] as const).map((end) => (
        <TimeField
          key={end}
          label={t(`audit.filter.${end}`)}
          value={search[end]}
          onChange={(event) => change({ [end]: event.target.value })}
        />
      ))}
      {isNarrowed(search) && (
        <div style={{ alignSelf: 'flex-end' }}>
          <Button onClick={() => onSearch(NOTHING)}>{t('audit.filter.reset')}</Button>
        </div>
      )}
    </Toolbar>
  )
}
