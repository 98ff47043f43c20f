import { region as regionCalls } from '@boathouse/contract/region'
import { useCall } from '../../lib/api.ts'
import styles from './account.module.css'

interface Props {
  readonly csp: string
  readonly region: string
}

/** The provider by its name and logo; by its id until they are known. */
export function CloudRegion({ csp, region }: Props) {
  const { data } = useCall(regionCalls.list, {}, { silent: true })
  const provider = data?.cspList.find(({ cspId }) => cspId === csp)?.locales['en-us']
  const place = data?.regionList.find(({ regionId }) => regionId === region)?.locales['en-us']
  return (
    <span className={styles['copied']}>
      {provider?.logo && <img src={provider.logo} alt="" width={16} height={16} />}
      {`${provider?.name ?? csp} · ${place?.name ?? region}`}
    </span>
  )
}
