import { SIGN_IN_OUTCOMES } from '@boathouse/contract/audit'
import { t } from '../../../i18n/texts.ts'
import { Button, Select, TextField, TimeField, Toolbar } from '../../../ui/index.ts'
import { isNarrowed, NOTHING, type SignInSearch } from './sign-in-search.ts'

interface Props {
  readonly search: SignInSearch
  readonly onSearch: (search: SignInSearch) => void
}

export function SignInFilters({ search, onSearch }: Props) {
  const change = (part: Partial<SignInSearch>) => onSearch({ ...search, ...part })
  return (
    <Toolbar>
      <div style={{ width: 170 }}>
        <TextField
          label={t('signIns.filter.user')}
          maxLength={256}
          autoComplete="off"
          spellCheck={false}
          value={search.user}
          onChange={(event) => change({ user: event.target.value })}
        />
      </div>
      <Select
        label={t('signIns.filter.outcome')}
        width={200}
        value={search.outcome}
        options={[
          { value: '', label: t('signIns.filter.any') },
          ...SIGN_IN_OUTCOMES.map((value) => ({ value, label: t(`signIns.outcome.${value}`) })),
        ]}
        onChange={(value) => change({ outcome: SIGN_IN_OUTCOMES.find((one) => one === value) ?? '' })}
      />
      {(['from', 'until'] as const).map((end) => (
        <TimeField
          key={end}
          label={t(`signIns.filter.${end}`)}
          value={search[end]}
          onChange={(event) => change({ [end]: event.target.value })}
        />
      ))}
      {isNarrowed(search) && (
        <div style={{ alignSelf: 'flex-end' }}>
          <Button onClick={() => onSearch(NOTHING)}>{t('signIns.filter.reset')}</Button>
        </div>
      )}
    </Toolbar>
  )
}
