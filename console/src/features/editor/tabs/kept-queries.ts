import '../../../i18n/kept.ts'
import { quota } from '@boathouse/contract/quota'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { formatBytes } from '../../../lib/format.ts'

/** How much of the room for saved queries is taken; null when that is less than a half, or not known. */
export function useKeptQueries({ always = false }: { always?: boolean } = {}): string | null {
  const { data } = useCall(quota.own, {}, { silent: true })
  const use = data?.kept.find(({ kind }) => kind === 'queries')
  if (!use || (!always && use.bytes < use.most / 2)) return null
  return t('kept.used', { used: formatBytes(use.bytes), most: formatBytes(use.most) })
}
