import type { AlertDelivery } from '@boathouse/contract/alert'
import { t } from '../../i18n/texts.ts'

export const eventName = (event: AlertDelivery['event']): string => t(`alerts.events.${event}`)
