import type { CloudProvider } from '@boathouse/contract/csp'
import { t } from '../../i18n/texts.ts'
import { Select } from '../../ui/index.ts'
import styles from './account.module.css'

export interface Place {
  readonly csp: string
  readonly region: string
}

interface Props {
  readonly providers: readonly CloudProvider[] | undefined
  /** They could not be read. */
  readonly failed: boolean
  /** Null: where the root account is. */
  readonly place: Place | null
  readonly onPlace: (place: Place) => void
}

const nameOf = ({ locales }: Pick<CloudProvider, 'locales'>, id: string): string =>
  locales['en-us']?.name ?? id

/** Where the account is created; nothing to choose where there is one region. */
export function PlaceFields({ providers, failed, place, onPlace }: Props) {
  if (failed) return <p className={styles['notice']}>{t('account.create.noRegions')}</p>
  const provider = providers?.find(({ cspId }) => cspId === place?.csp) ?? providers?.[0]
  const all = providers?.flatMap(({ regions }) => regions) ?? []
  if (!providers || !provider || all.length < 2) return null
  const choose = (cspId: string): void => {
    const [first] = providers.find((one) => one.cspId === cspId)?.regions ?? []
    if (first) onPlace({ csp: cspId, region: first.regionId })
  }
  return (
    <>
      {providers.length > 1 && (
        <Select
          label={t('account.create.provider')}
          value={provider.cspId}
          onChange={choose}
          options={providers.map((one) => ({ value: one.cspId, label: nameOf(one, one.cspId) }))}
        />
      )}
      <div className={styles['place']}>
        <Select
          label={t('account.create.region')}
          value={place?.region ?? provider.regions[0]?.regionId ?? ''}
          onChange={(region) => onPlace({ csp: provider.cspId, region })}
          options={provider.regions.map((one) => ({
            value: one.regionId,
            label: nameOf(one, one.regionId),
          }))}
        />
        <p className={styles['note']}>{t('account.create.regionHelp')}</p>
      </div>
    </>
  )
}
