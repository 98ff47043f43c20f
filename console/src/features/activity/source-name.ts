import { DOORS } from '@boathouse/contract/query'
import { t } from '../../i18n/texts.ts'

export function sourceName(door: string): string {
  const known = DOORS.find((one) => one === door)
  return known ? t(`activity.source.${known}`) : door
}
